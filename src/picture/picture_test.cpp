#include "picture/picture.h"

#include "base/error.h"
#include "output/test_snapshots.h"
#include "picture/picture_colour.h"
#include "picture/picture_view.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ls::picture_test {

using drawing::View;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++found;
  return found;
}

// One tag: every attribute has a quoted value, and no value holds a number that is none.
void check_tag(const std::string& tag) {
  for (std::size_t at = tag.find('='); at != std::string::npos;) {
    ASSERT_EQ(tag[at + 1], '"') << tag;
    const std::size_t end = tag.find('"', at + 2);
    ASSERT_NE(end, std::string::npos) << tag;
    const std::string value = tag.substr(at + 2, end - at - 2);
    for (const char* bad : {"nan", "inf", "<", "e+", "e-0"}) EXPECT_EQ(value.find(bad), std::string::npos) << tag;
    at = tag.find('=', end);
  }
}

// Balanced tags, quoted attributes, no bare markup in text.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  ASSERT_EQ(svg.substr(0, 5), "<?xml");
  std::size_t at = svg.find("?>") + 2;
  while ((at = svg.find('<', at)) != std::string::npos) {
    const std::size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else {
      check_tag(tag);
      if (tag.back() != '/') open.push_back(name);
    }
    at = end;
  }
  EXPECT_TRUE(open.empty());
  for (at = svg.find('&'); at != std::string::npos; at = svg.find('&', at + 1))
    EXPECT_LT(svg.find(';', at) - at, 7u) << svg.substr(at, 10);
}

std::string checked(const Snapshot& s, const PictureOptions& options = {}) {
  std::string svg = picture_svg(s, options);
  expect_well_formed(svg);
  return svg;
}

// All that paths go through lies on the page.
void expect_on_page(const std::string& svg) {
  for (std::size_t at = svg.find(" d=\"M"); at != std::string::npos; at = svg.find(" d=\"M", at + 1)) {
    const std::size_t start = at + 5;
    double x = 0, y = 0;
    ASSERT_EQ(std::sscanf(svg.c_str() + start, "%lf %lf", &x, &y), 2);
    EXPECT_TRUE(x >= 0 && x <= 900 && y >= 0 && y <= 600) << svg.substr(at, 40);
  }
}

TEST(Picture, DrawsEverySample) {
  const Snapshot start = samples::straight_rod(100);
  for (const Snapshot& s : {samples::straight_rod(), samples::cantilever(), samples::helix(), samples::net(),
                            samples::spheres(), samples::full()})
    for (const char* colour : picture_colours())
      expect_on_page(checked(s, {.title = "t", .first = &start, .colour_by = colour}));
}

TEST(Picture, IsTheSameEveryTime) {
  EXPECT_EQ(picture_svg(samples::net()), picture_svg(samples::net()));
}

TEST(Picture, TakesAnyTitle) {
  for (const std::string& title : {std::string("a < b & \"c\" > 'd'"), std::string("\x01\xff\xc3", 3),
                                   std::string("µ → ∞"), std::string(500, 'x'), std::string("]]><!--"), std::string()})
    checked(samples::straight_rod(), {.title = title});
  std::string accents;
  for (int i = 0; i < 300; ++i) accents += "é";
  const std::string svg = checked(samples::straight_rod(), {.title = accents});
  EXPECT_EQ(count(svg, "\xef\xbf\xbd"), 0) << "a long title must not be cut within a letter";
}

TEST(Picture, TakesDegenerateSnapshots) {
  checked(Snapshot{});
  Snapshot one;
  one.position = {{1, 2, 3}};
  EXPECT_GE(count(checked(one), "<circle"), 2);
  Snapshot same;
  samples::add_rod(same, "point", {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, 0);
  checked(same);
  same.radius.assign(3, 0.1);
  checked(same);
  Snapshot bare;
  bare.position = {{0, 0, 0}, {1, 0, 0}};
  bare.bond = {{0, 1}};
  checked(bare);
}

TEST(Picture, LeavesOutWhatIsNotFinite) {
  Snapshot s = samples::cantilever();
  s.position[3] = {nan, 0, 0};
  s.position[50] = {0, std::numeric_limits<double>::infinity(), 0};
  s.position[60] = {1e300, 0, 0};
  s.radius[10] = nan;
  s.energy[20] = {nan, 0, 0, 0};
  s.strain[20] = {nan, nan, nan, nan};
  s.moment[30] = {nan, 0, 0};
  s.velocity[5] = {nan, 0, 0};
  s.time = nan;
  s.bond[70] = {-1, 7};
  s.bond[71] = {5, 100000};
  s.bond[72] = {9, 9};
  for (const char* colour : picture_colours()) expect_on_page(checked(s, {.colour_by = colour}));
  for (double& x : s.position[1]) x = 1e-310;
  for (auto& energy : s.energy) energy = {1e-320, 0, 0, 0};
  checked(s);
  Snapshot nowhere = samples::straight_rod(4);
  for (auto& p : nowhere.position) p = {nan, nan, nan};
  checked(nowhere);
}

TEST(Picture, HasAScaleBarAndColourBarWithRoundNumbers) {
  const std::string plain = checked(samples::straight_rod());
  EXPECT_EQ(count(plain, ">5 mm<"), 1);
  EXPECT_EQ(count(plain, "linearGradient"), 0);  // nothing to tell apart
  const std::string bent = checked(samples::cantilever(), {.colour_by = "curvature"});
  EXPECT_EQ(count(bent, ">curvature<"), 1);
  EXPECT_EQ(count(bent, ">1/m<"), 1);
  EXPECT_EQ(count(bent, ">80<"), 1);  // 2.5 rad over 25.8 mm at the clamp: up to 97 1/m
  EXPECT_EQ(count(bent, ">t = 12.5 ms<"), 1);
  EXPECT_EQ(count(bent, ">ramp, step 45<"), 1);
}

TEST(Picture, ShowsMomentsStartAndBrokenBonds) {
  const Snapshot start = samples::straight_rod();
  Snapshot s = samples::cantilever();
  EXPECT_EQ(count(checked(s), "stroke-dasharray"), 0);
  s.broken[7] = s.broken[8] = 1;
  const std::string svg = checked(s, {.first = &start});
  EXPECT_EQ(count(svg, "stroke-dasharray"), 3);  // two and the legend
  EXPECT_EQ(count(svg, ">magnetic moment<") + count(svg, ">start<") + count(svg, ">broken<"), 3);
  const std::string still = checked(s, {.moments = false});
  EXPECT_EQ(count(still, ">magnetic moment<"), 0);
}

TEST(Picture, DrawsNoMoreThanAPageCanShow) {
  Snapshot many = samples::spheres(3000);
  const std::string svg = checked(many);
  EXPECT_LE(count(svg, "#b3243b"), 2 * 41 + 2);  // each arrow names the colour twice, and so does the legend
  const std::string rod = checked(samples::helix(60000));
  EXPECT_LT(rod.size(), 2'000'000u);
  const std::string net = checked(samples::net(150));  // 45 000 bonds, none of which continues another
  EXPECT_LE(count(net, "<path"), 2 * 20000 + 100);
}

TEST(Picture, RefusesAnUnknownColour) {
  try {
    (void)picture_svg(samples::straight_rod(), {.colour_by = "temper"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("curvature"), std::string::npos);
  }
}

void expect_view(const View& view, const Snapshot::Triple& right, const Snapshot::Triple& up) {
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(view.right[k], right[k], 1e-12);
    EXPECT_NEAR(view.up[k], up[k], 1e-12);
    EXPECT_NEAR(view.toward[k], drawing::cross(right, up)[k], 1e-12);
  }
}

// A bent curve in the plane of two axes.
std::vector<Snapshot::Triple> arc(int a, int b) {
  return samples::curve(20, [&](double u) {
    Snapshot::Triple p{0.3, 0.3, 0.3};
    p[a] = std::sin(3 * u), p[b] = 0.5 * std::cos(3 * u);
    return p;
  });
}

TEST(PictureView, KeepsWorldPlanesAndUp) {
  const Snapshot::Triple x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  expect_view(drawing::choose_view(arc(0, 1), y), x, y);
  expect_view(drawing::choose_view(arc(0, 2), y), x, z);
  expect_view(drawing::choose_view(arc(1, 2), y), z, y);
  expect_view(drawing::choose_view(arc(0, 1), z), x, y);
  expect_view(drawing::choose_view(arc(0, 2), z), x, z);
  expect_view(drawing::choose_view(arc(1, 2), z), y, z);
  expect_view(drawing::choose_view(samples::straight_rod().position, y), x, y);
  expect_view(drawing::choose_view({}, y), x, y);
}

void expect_right_handed(const View& view) {
  EXPECT_NEAR(drawing::norm(view.right), 1, 1e-12);
  EXPECT_NEAR(drawing::norm(view.up), 1, 1e-12);
  EXPECT_NEAR(drawing::dot(view.right, view.up), 0, 1e-12);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(view.toward[k], drawing::cross(view.right, view.up)[k], 1e-12);
}

TEST(PictureView, FindsObliquePlanesAndLines) {
  const Snapshot::Triple up{0, 1, 0};
  const auto plane = samples::curve(30, [](double u) {
    const double a = std::sin(5 * u), b = u;
    return Snapshot::Triple{a + b, a - 0.5 * b, 0.3 * a + b};
  });
  const View in_plane = drawing::choose_view(plane, up);
  expect_right_handed(in_plane);
  for (const auto& p : plane) EXPECT_NEAR(drawing::dot(in_plane.toward, p), 0, 1e-9);
  EXPECT_GT(in_plane.up[1], 0.1);
  const auto diagonal = samples::curve(5, [](double u) { return Snapshot::Triple{u, u, u}; });
  const View along = drawing::choose_view(diagonal, up);
  expect_right_handed(along);
  EXPECT_NEAR(drawing::dot(along.toward, {1, 1, 1}), 0, 1e-9);
}

TEST(PictureView, LooksAtBodiesInSpaceFromAbove) {
  for (const Snapshot& s : {samples::helix(), samples::net()})
    for (const Snapshot::Triple& up :
         {Snapshot::Triple{0, 1, 0}, Snapshot::Triple{0, 0, 1}, Snapshot::Triple{1, 0, 0}}) {
      const View view = drawing::choose_view(s.position, up);
      expect_right_handed(view);
      EXPECT_GT(drawing::dot(view.up, up), 0.7);
      EXPECT_GT(drawing::dot(view.toward, up), 0.3);
    }
}

TEST(PictureColour, GrowsLighterSteadily) {
  const drawing::Colouring colouring(samples::cantilever(), "curvature");
  double before = -1;
  for (int i = 0; i <= 100; ++i) {
    double luminance = 0;
    const drawing::Colour c = colouring.on_scale(i / 100.0);
    const double weight[] = {0.2126, 0.7152, 0.0722};
    for (int k = 0; k < 3; ++k) luminance += weight[k] * std::pow((c[k] + 0.055) / 1.055, 2.4);
    const double lightness = 116 * std::cbrt(luminance) - 16;
    if (i > 0) {
      EXPECT_GT(lightness, before);
      EXPECT_LT(lightness - before, 1.5);
    }
    before = lightness;
  }
}

TEST(PictureColour, WritesReadableNumbers) {
  EXPECT_EQ(drawing::with_prefix(0.0125, "s"), "12.5 ms");
  EXPECT_EQ(drawing::with_prefix(0, "s"), "0 s");
  EXPECT_EQ(drawing::with_prefix(0.5, "m"), "500 mm");
  EXPECT_EQ(drawing::with_prefix(1e-6, "m"), "1 µm");
  EXPECT_EQ(drawing::with_prefix(-2500, "J"), "-2.5 kJ");
  EXPECT_EQ(drawing::with_prefix(1e-20, "J"), "1e-20 J");
  EXPECT_EQ(drawing::round_below(170), 100);
  EXPECT_EQ(drawing::round_below(0.05), 0.05);
  EXPECT_DOUBLE_EQ(drawing::round_below(2.1e-7), 2e-7);
}

// ---- What is drawn beside rods -------------------------------------------------------------------------------------

// A body of nodes in a row, bonded.
void add_row(Snapshot& s, int body, const Snapshot::Triple& from, double step, int count) {
  for (int k = 0; k < count; ++k) {
    if (k > 0) {
      s.bond.push_back({static_cast<int>(s.position.size()) - 1, static_cast<int>(s.position.size())});
      s.strain.push_back({});
      s.energy.push_back({});
      s.broken.push_back(0);
    }
    s.position.push_back({from[0] + step * k, from[1], from[2]});
    s.body.push_back(body);
    s.radius.push_back(1e-4);
    s.is_wall.push_back(0);
    s.is_ball.push_back(0);
    s.moment.push_back({});
  }
}
int add_node(Snapshot& s, int body, bool wall) {
  add_row(s, body, {0, 0, 0}, 0, 1);
  s.is_wall.back() = wall ? 1 : 0;
  return static_cast<int>(s.position.size()) - 1;
}
int add_point(Snapshot& s, int node, const Snapshot::Triple& at) {
  s.skin.push_back(at);
  s.skin_node.push_back(node);
  return static_cast<int>(s.skin.size()) - 1;
}
// The ends along x of what a group of lines spans on paper: "M12.3 45L67 89M…".
std::pair<double, double> span_of(const std::string& svg, const std::string& group) {
  const std::size_t at = svg.find("d=\"", svg.find(group)) + 3;
  std::string path = svg.substr(at, svg.find('"', at) - at);
  std::replace_if(
      path.begin(), path.end(), [](char c) { return c == 'M' || c == 'L'; }, ' ');
  std::istringstream in(path);
  std::pair<double, double> out{1e300, -1e300};
  for (double x = 0, y = 0; in >> x >> y;) out = {std::min(out.first, x), std::max(out.second, x)};
  return out;
}

TEST(Picture, PlanesReachAsFarAsBodiesWent) {
  Snapshot first;
  add_row(first, 0, {0, 0, 1e-4}, 1e-3, 5);
  const int table = add_node(first, 1, true);
  for (const auto& [x, y] : {std::pair{-4e-3, -4e-3}, {8e-3, -4e-3}, {8e-3, 4e-3}, {-4e-3, 4e-3}})
    add_point(first, table, {x, y, 0});
  first.outline = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  Snapshot last = first;
  for (int i = 0; i < 5; ++i) last.position[i][0] += 30e-3;
  PictureOptions o;
  o.first = &first;
  o.up = {0, 0, 1};
  const auto [left, right] = span_of(checked(last, o), "#room");
  EXPECT_LT(left, 56) << "the frame's left edge";
  EXPECT_GT(right, 700);
}

TEST(Picture, OuterBodiesAreSeenThrough) {
  Snapshot s;
  add_row(s, 0, {-1e-3, 1e-5, 2e-5}, 1e-3, 3);
  const int shell = add_node(s, 1, false);
  const int a = add_point(s, shell, {-5e-3, -4e-3, -4e-3}), b = add_point(s, shell, {5e-3, -4e-3, -4e-3});
  const int c = add_point(s, shell, {0, 5e-3, -4e-3}), d = add_point(s, shell, {0, 0, 5e-3});
  s.triangle = {{a, c, b}, {a, b, d}, {b, c, d}, {c, a, d}};
  EXPECT_GT(count(checked(s), "fill-opacity=\"0.3\""), 0);
  for (int i = 0; i < 3; ++i) s.position[i][0] += 20e-3;  // outside
  EXPECT_EQ(count(checked(s), "fill-opacity"), 0);
  Snapshot ball;
  add_row(ball, 0, {-1e-3, 0, 0}, 1e-3, 3);
  const int outer = add_node(ball, 1, false);
  ball.is_ball[outer] = 1;
  ball.radius[outer] = 5e-3;
  EXPECT_EQ(count(checked(ball), "<g opacity=\"0.3\""), 1);
}

TEST(Picture, DrawsMagnetsOfFields) {
  Snapshot s;
  add_row(s, 0, {0, 0, 0}, 1e-3, 11);
  PictureOptions o;
  o.magnets.push_back({{{{{2e-3, 5e-3, 0}, {8e-3, 5e-3, 0}}}}, {5e-3, 5e-3, 0}, {0, -1, 0}});
  const std::string near = checked(s, o);
  EXPECT_EQ(count(near, "#7a5a9e"), 2);  // its edges and its arrow
  o.magnets[0].centre[1] = 5;            // metres away: the rod must not become a speck
  o.magnets[0].lines = {{{{2e-3, 5, 0}, {8e-3, 5, 0}}}};
  EXPECT_EQ(count(checked(s, o), "5 mm"), count(checked(s), "5 mm"));
}

TEST(Picture, BodiesAcrossAPeriodicFaceAreWhole) {
  Snapshot s;
  add_row(s, 0, {37e-3, 5e-3, 0.5e-3}, 1e-3, 6);  // three boxes further on
  FlowPicture f;
  f.columns = f.rows = 10;
  f.high = {10e-3, 10e-3, 1e-3};
  f.velocity.assign(100, {1, 0});
  f.speed.assign(100, 1);
  PictureOptions o;
  o.flow = &f;
  f.is_periodic = {true, true, true};
  const std::string wrapped = picture_svg(s, o);
  for (auto& p : s.position) p[0] -= 30e-3;
  EXPECT_EQ(wrapped, picture_svg(s, o));
  f.is_periodic = {false, false, false};
  EXPECT_EQ(wrapped, picture_svg(s, o)) << "it already was where it is drawn";
}

}  // namespace ls::picture_test
