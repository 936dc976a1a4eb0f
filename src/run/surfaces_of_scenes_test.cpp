#include "math/rotation.h"
#include "output/files.h"
#include "output/hdf5_file.h"
#include "output/take_snapshot.h"
#include "output/vtk.h"
#include "output/xdmf.h"
#include "picture/picture.h"
#include "scene/read/reader.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

// What is seen of rigid bodies and walls.
namespace ls::surfaces_of_scenes_test {

using V = Vec3<double>;

const std::string scene = R"(
[solver]
kind = "implicit"
duration = 1
[contact]
[[rigid]]
name = "crate"
shape = "box"
size = [1, 2, 3]
mass = 1
orientation = [0, 0, "90 deg"]
position = [0, 0, 5]
[[rigid]]
name = "ball"
shape = "sphere"
radius = 1
mass = 1
position = [5, 0, 5]
[[rigid]]
name = "pill"
shape = "capsule"
radius = 0.5
length = 2
mass = 1
position = [-5, 0, 5]
[[wall]]
name = "floor"
plane = { normal = [0, 0, 1] }
[[wall]]
name = "bin"
box = { from = [-100, -100, -100], to = [100, 100, 100] }
[[wall]]
name = "step"
box = { from = [-1, -1, 0.2], to = [1, 1, 1] }
inside = false
)";

Snapshot shot_of(const Plan& p) {
  return take_snapshot(p.model, p.start, "");
}
V at(const Snapshot& s, std::size_t k) {
  return {s.skin[k][0], s.skin[k][1], s.skin[k][2]};
}
int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t i = text.find(what); i != std::string::npos; i = text.find(what, i + what.size())) ++found;
  return found;
}

// Enclosed by the triangles of one node, m^3.
double volume(const Snapshot& s, int node) {
  double sum = 0;
  for (const auto& t : s.triangle) {
    if (s.skin_node[t[0]] != node) continue;
    const V a = at(s, static_cast<std::size_t>(t[0])), b = at(s, static_cast<std::size_t>(t[1])),
            c = at(s, static_cast<std::size_t>(t[2]));
    sum += dot(a, cross(b, c)) / 6;
  }
  return sum;
}

TEST(SceneSurfaces, EncloseTheirBodies) {
  const Snapshot s = shot_of(read_text(scene, "scene.toml"));
  EXPECT_NEAR(volume(s, 0), 6, 1e-12);
  EXPECT_NEAR(volume(s, 1) / (4.0 / 3 * M_PI), 1, 0.12);  // of few triangles, all of them inside
  EXPECT_LT(volume(s, 1), 4.0 / 3 * M_PI);
  EXPECT_NEAR(volume(s, 2) / (M_PI * 0.25 * 2 + 4.0 / 3 * M_PI * 0.125), 1, 0.1);
  EXPECT_NEAR(volume(s, 5), 4 * 0.8, 1e-12);
  EXPECT_EQ(s.is_ball[1], 1);
  EXPECT_EQ(s.is_wall[3], 1);
  EXPECT_EQ(s.outline.size(), 4U + 12U);
}

TEST(SceneSurfaces, GoWithTheirNodes) {
  Plan p = read_text(scene, "scene.toml");
  p.start.nodes.set(0, Frame<double>{{1, 2, 30}, turn(V{0.4, 0.1, -0.7})});
  const Snapshot s = shot_of(p);
  EXPECT_NEAR(volume(s, 0), 6, 1e-10);
  V centre;
  for (std::size_t k = 0; k < 8; ++k) centre += (1.0 / 8) * at(s, k);
  EXPECT_LT(norm(centre - V{1, 2, 30}), 1e-12);
}

TEST(SceneSurfaces, AreWritten) {
  const Snapshot s = shot_of(read_text(scene, "scene.toml"));
  const auto folder = std::filesystem::path(testing::TempDir()) / "scene_surfaces";
  std::filesystem::create_directories(folder);
  write_surfaces_vtp(folder / "a.vtp", s);
  const std::string vtp = read_file(folder / "a.vtp");
  EXPECT_NE(vtp.find("NumberOfPoints=\"" + std::to_string(s.skin.size()) + "\""), std::string::npos);
  EXPECT_NE(vtp.find("NumberOfLines=\"16\""), std::string::npos);
  EXPECT_NE(vtp.find("NumberOfPolys=\"" + std::to_string(s.triangle.size()) + "\""), std::string::npos);
  write_frame_h5(folder / "a.h5", s);
  const Hdf5File h5 = Hdf5File::open(folder / "a.h5");
  EXPECT_EQ(h5.shape("surface/triangles")[0], s.triangle.size());
  EXPECT_EQ(h5.read<double>("surface/position")[2], s.skin[0][2]);
  EXPECT_EQ(h5.read<std::int32_t>("surface/node")[0], 0);
  std::filesystem::remove_all(folder);
}

// The ball is a disc, the box and the capsule are faces, walls are lines that do not change how large all else is.
TEST(SceneSurfaces, AreInThePicture) {
  const std::string svg = picture_svg(shot_of(read_text(scene, "scene.toml")));
  EXPECT_GE(count(svg, "<circle"), 2);
  EXPECT_GT(count(svg, "Z\" fill="), 6 + 50);
  EXPECT_EQ(count(svg, "clip-path=\"url(#room)\""), 1);
  std::string without = scene;
  without.erase(without.find("[[wall]]\nname = \"bin\""));
  const std::string other = picture_svg(shot_of(read_text(without, "scene.toml")));
  const auto scale = [](const std::string& text) {  // the words under the scale bar
    const auto end = text.find("m</text>", text.find("font-size=\"13\""));
    return text.substr(text.rfind('>', end), end - text.rfind('>', end));
  };
  EXPECT_EQ(scale(svg), scale(other));
}

TEST(SceneSurfaces, OfAMeshFromAFile) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "scene_mesh";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tetra.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  std::ofstream(folder / "open.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
  const auto text = [](const std::string& file) {
    return "[solver]\nduration = 1\n[material.a]\ndensity = 6000\n[[rigid]]\nname = \"rock\"\nmaterial = \"a\"\nmesh = "
           "\"" +
           file + "\"\nscale = 0.1\nposition = [0, 0, 3]\n";
  };
  const std::string file = (folder / "scene.toml").string();
  const Plan p = read_text(text("tetra.obj"), file);
  EXPECT_NEAR(p.model.mass[0], 1, 1e-12);
  EXPECT_LT(norm(p.start.nodes.frame(0).x - V{0.025, 0.025, 3.025}), 1e-13);
  EXPECT_NEAR(volume(shot_of(p), 0), 1e-3 / 6, 1e-12);
  for (const char* bad : {"open.obj", "none.obj"}) {
    try {
      read_text(text(bad), file);
      ADD_FAILURE() << bad << ": no error";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("rigid.rock.mesh: "), std::string::npos) << e.what();
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace ls::surfaces_of_scenes_test
