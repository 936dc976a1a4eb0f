#include "math/rotation.h"
#include "output/png.h"
#include "picture/take_magnet_picture.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <regex>

namespace ls::picture_flow_test {

TEST(Png, IsWhatTheSpecificationAsksFor) {
  const std::array<std::uint8_t, 3> colours[] = {{255, 0, 0}, {0, 0, 255}};
  const std::uint8_t pixels[] = {0, 1, 1, 0, 0, 1};
  const std::string png = png_bytes(3, 2, colours, pixels);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(png.substr(12, 4), "IHDR");
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\0\3\0\0\0\2", 8));
  EXPECT_EQ(png.substr(png.size() - 8), "IEND\xae\x42\x60\x82");  // its check sum is known
  // One stored block of two rows, each with its filter byte, and Adler's sum of them: 1 + 3, and the sum of its
  // partial sums, 1 + 1 + 2 + 3 + 3 + 3 + 3 + 4.
  const std::size_t data = png.find("IDAT") + 4;
  EXPECT_EQ(png.substr(data, 7), std::string("\x78\x01\x01\x08\x00\xf7\xff", 7));
  EXPECT_EQ(png.substr(data + 7, 8), std::string("\0\0\1\1\0\0\0\1", 8));
  EXPECT_EQ(png.substr(data + 15, 4), std::string("\0\x14\0\4", 4));
}

TEST(Png, Base64OfTheRfc) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

FlowPicture vortex(int n) {
  FlowPicture f;
  f.columns = f.rows = n;
  f.high = {1e-3 * n, 1e-3 * n, 1e-3};
  f.is_wall[0] = {true, true};
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const float dx = static_cast<float>(x + 0.5 - 0.5 * n), dy = static_cast<float>(y + 0.5 - 0.5 * n);
      f.velocity.push_back({-dy, dx});
      f.speed.push_back(std::hypot(dx, dy));
    }
  return f;
}

// Streamlines of a body that turns are circles, and keep apart.
TEST(PictureFlow, FollowsCircles) {
  const FlowPicture flow = vortex(40);
  PictureOptions options;
  options.flow = &flow;
  const std::string svg = picture_svg(Snapshot(), options);
  EXPECT_NE(svg.find("<image "), std::string::npos);
  EXPECT_NE(svg.find(">speed<"), std::string::npos);
  const std::size_t group = svg.find("<g opacity");
  ASSERT_NE(group, std::string::npos);
  const std::string path = svg.substr(group, svg.find("fill=\"none\"", group) - group);
  const std::regex number("M([0-9.]+) ([0-9.]+)|L([0-9.]+) ([0-9.]+)");
  const auto corner = svg.find("<image x=\"");
  const double left = std::stod(svg.substr(corner + 10)),
               wide = std::stod(svg.substr(svg.find("width=\"", corner) + 7));
  const double top = std::stod(svg.substr(svg.find("y=\"", corner) + 3));
  double radius = 0, worst = 0;
  int lines = 0;
  for (std::sregex_iterator i(path.begin(), path.end(), number), end; i != end; ++i) {
    const bool first = (*i)[1].matched;
    const double x = std::stod((*i)[first ? 1 : 3]) - left - 0.5 * wide,
                 y = std::stod((*i)[first ? 2 : 4]) - top - 0.5 * wide;
    if (first) radius = std::hypot(x, y), ++lines;
    // Within half a cell of the edges the velocity is not that of a turning body any more.
    if (radius < 0.48 * wide) worst = std::max(worst, std::abs(std::hypot(x, y) - radius));
  }
  EXPECT_GE(lines, 5);
  EXPECT_LT(worst, 0.5);  // pixels
}

TEST(PictureFlow, StandsStillAndBrokenFluids) {
  FlowPicture flow = vortex(6);
  PictureOptions options;
  options.flow = &flow;
  for (const float bad : {0.0f, std::numeric_limits<float>::quiet_NaN()}) {
    for (auto& u : flow.velocity) u = {bad, bad};
    for (auto& u : flow.speed) u = bad;
    const std::string svg = picture_svg(Snapshot(), options);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("<image "), std::string::npos);
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
  }
  flow = vortex(6);
  flow.speed[7] = std::numeric_limits<float>::quiet_NaN();
  flow.velocity[7] = {flow.speed[7], flow.speed[7]};
  EXPECT_EQ(picture_svg(Snapshot(), options).find("nan"), std::string::npos);
}

// Of every sort: its lines lie on it, turned and moved with it, and it points north.
TEST(PictureMagnet, HasTheEdgesOfItsShape) {
  const Frame<double> pose{{1, 2, 3}, turn(Vec3<double>{0, std::acos(-1.0) / 2, 0})};  // z becomes x
  const Vec3<double> m{0, 0, 5e5};
  const std::pair<Magnet, double> sorts[] = {{CuboidMagnet{{{1, 2, 3}}, m}, std::sqrt(14.0)},
                                             {CylinderMagnet{{2, 3}, m}, std::sqrt(13.0)},
                                             {SphereMagnet{2, m}, 2},
                                             {PointDipole{m}, 0},
                                             {CurrentLoop{2, 1}, 2},
                                             {Coil{{2, 3}, 1}, std::sqrt(13.0)}};
  for (const auto& [magnet, farthest] : sorts) {
    const PictureMagnet p = take_magnet_picture(magnet, pose);
    EXPECT_EQ(p.centre, (Snapshot::Triple{1, 2, 3}));
    EXPECT_NEAR(p.north[0], 1, 1e-12);
    double most = 0;
    for (const auto& ends : p.lines)
      for (const auto& [x, y, z] : ends) most = std::max(most, std::hypot(x - 1, y - 2, z - 3));
    EXPECT_NEAR(most, farthest, 1e-12) << magnet.index();
  }
  const PictureMagnet coil = take_magnet_picture(Coil{{2, 3}, 1}, pose);
  for (const auto& ends : coil.lines) EXPECT_LE(std::abs(ends[0][0] - 1), 3 + 1e-12) << "its axis is x now";
}

}  // namespace ls::picture_flow_test
