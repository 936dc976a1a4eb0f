#include "picture/picture.h"

#include "base/error.h"
#include "output/test_snapshots.h"
#include "picture/picture_colour.h"
#include "picture/picture_view.h"

#include <limits>

namespace ls {
namespace {

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

}  // namespace
}  // namespace ls
