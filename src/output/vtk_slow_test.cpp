// The files as VTK itself reads them. Slow, and needs python3-vtk9 (or python3-paraview, which reads XDMF too).
// LODESTONE_VTK_PYTHON may name another Python that has VTK.
#include "output/field_grid_files.h"
#include "output/files.h"
#include "output/test_snapshots.h"
#include "output/vtk.h"
#include "output/xdmf.h"

namespace ls::vtk_slow_test {

constexpr int no_xdmf = 3;  // exit status of the script

samples::Readback read_with_vtk(const std::filesystem::path& path) {
  const char* const python = std::getenv("LODESTONE_VTK_PYTHON");
  return samples::run_reader("read_vtp_vtk.py", path.string(), python != nullptr ? python : "/usr/bin/python3");
}

void expect_bonds(const samples::Readback& back, const std::string& before, const Snapshot& s) {
  EXPECT_EQ(back.arrays.at(before + "cells").at(0), static_cast<double>(s.bond.size()));
  const std::vector<double>& ends = back.arrays.at(before + "bonds");
  ASSERT_EQ(ends.size(), 2 * s.bond.size());
  for (std::size_t i = 0; i < ends.size(); ++i) EXPECT_EQ(ends[i], s.bond[i / 2][i % 2]);
}

TEST(SlowVtk, ReadsVtp) {
  const samples::Folder folder;
  const Snapshot s = samples::full();
  write_vtp(folder / "a.vtp", s);
  const samples::Readback back = read_with_vtk(folder / "a.vtp");
  ASSERT_EQ(back.status, 0) << back.text;
  samples::expect_array(back, "points", s.position);
  expect_bonds(back, "", s);
  samples::expect_columns(back, s, "node/", "cell/");
  EXPECT_EQ(back.arrays.at("field/TimeValue").at(0), s.time);
  EXPECT_EQ(back.arrays.at("field/step").at(0), static_cast<double>(s.step));
  EXPECT_EQ(back.texts.at("components"), "wxyz");
  EXPECT_EQ(back.texts.at("stage"), s.stage);
  EXPECT_EQ(back.texts.at("bodies"), s.bodies[0] + "|" + s.bodies[1] + "|" + s.bodies[2]);
}

TEST(SlowVtk, ReadsVtpWithoutBondsOrNodes) {
  const samples::Folder folder;
  write_vtp(folder / "free.vtp", samples::spheres(4));
  const samples::Readback free = read_with_vtk(folder / "free.vtp");
  ASSERT_EQ(free.status, 0) << free.text;
  samples::expect_array(free, "points", samples::spheres(4).position);
  samples::expect_columns(free, samples::spheres(4), "node/", "cell/");
  write_vtp(folder / "none.vtp", Snapshot{});
  const samples::Readback none = read_with_vtk(folder / "none.vtp");
  ASSERT_EQ(none.status, 0) << none.text;
  EXPECT_EQ(none.arrays.at("cells").at(0), 0);
  EXPECT_EQ(none.text.find("ERR"), std::string::npos) << none.text;
}

TEST(SlowVtk, ReadsFieldsOnGrids) {
  const samples::Folder folder;
  FieldGrid grid;
  grid.corner = {0.1, 0.2, 0.3};
  grid.side = {Vec3<double>{0.4, 0, 0.1}, {0, 0.7, 0}};
  grid.points = {4, 3};
  const std::vector<Vec3<double>> places = grid.places();
  std::vector<Vec3<double>> b;
  b.reserve(places.size());
  for (const Vec3<double>& x : places) b.push_back({x.y, -x.z, 1 / x.x});
  Clock clock;
  clock.time = 0.1 + 0.2, clock.step = 7;
  const auto as_triples = [](const std::vector<Vec3<double>>& all) {
    std::vector<Snapshot::Triple> triples;
    triples.reserve(all.size());
    for (const Vec3<double>& v : all) triples.push_back({v.x, v.y, v.z});
    return triples;
  };
  write_field_vts(folder / "plane.vts", grid, b, clock);
  const samples::Readback back = read_with_vtk(folder / "plane.vts");
  ASSERT_EQ(back.status, 0) << back.text;
  samples::expect_array(back, "points", as_triples(places));
  samples::expect_array(back, "node/B", as_triples(b));
  EXPECT_EQ(back.arrays.at("cells").at(0), 6);  // quadrilaterals
  EXPECT_EQ(back.arrays.at("field/TimeValue").at(0), clock.time);
  EXPECT_EQ(back.arrays.at("field/step").at(0), 7);

  grid.points = {4, 1};
  write_field_vts(folder / "line.vts", grid, std::span(b).first(4), clock);
  const samples::Readback line = read_with_vtk(folder / "line.vts");
  ASSERT_EQ(line.status, 0) << line.text;
  EXPECT_EQ(line.arrays.at("cells").at(0), 3);
  EXPECT_EQ(line.arrays.at("points").size(), 12u);
}

TEST(SlowVtk, ReadsXdmf) {
  const samples::Folder folder;
  make_folder(folder / "frames");
  const std::vector<Snapshot> frames{samples::full(), samples::spheres(5), Snapshot{}, samples::cantilever(9)};
  std::vector<XdmfEntry> entries;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::string file = "frames/" + std::to_string(i) + ".h5";
    write_frame_h5(folder / file, frames[i]);
    entries.push_back({0.1 * static_cast<double>(i), file, frames[i].position.size(), frames[i].bond.size()});
  }
  write_xdmf(folder / "states.xdmf", entries);
  const samples::Readback back = read_with_vtk(folder / "states.xdmf");
  if (WIFEXITED(back.status) && WEXITSTATUS(back.status) == no_xdmf)
    GTEST_SKIP() << "this VTK is built without XDMF: install python3-paraview in place of python3-vtk9";
  ASSERT_EQ(back.status, 0) << back.text;
  EXPECT_EQ(back.text.find("ERR"), std::string::npos) << back.text;
  EXPECT_EQ(back.arrays.at("frames").at(0), 3);
  EXPECT_EQ(back.arrays.at("2/time").at(0), entries[3].time);
  samples::expect_array(back, "0/points", frames[0].position);
  expect_bonds(back, "0/", frames[0]);
  samples::expect_columns(back, frames[0], "0/node/", "0/cell/");
  samples::expect_array(back, "1/points", frames[1].position);
  samples::expect_array(back, "1/node/moment", frames[1].moment);
  EXPECT_EQ(back.arrays.at("1/cells").at(0), 5);
  expect_bonds(back, "2/", frames[3]);
  samples::expect_columns(back, frames[3], "2/node/", "2/cell/");
}

}  // namespace ls::vtk_slow_test
