#include "output/field_grid_files.h"

#include "output/files.h"
#include "output/test_snapshots.h"

namespace ls::field_grid_files_test {

using V = Vec3<double>;

FieldGrid tilted() {
  FieldGrid grid;
  grid.corner = {1, 2, 3};
  grid.side = {V{0.5, 0, 0.25}, V{0, -1, 0}};
  grid.points = {3, 2};
  return grid;
}

TEST(FieldGrid, SpreadsPlacesWithBothEnds) {
  const std::vector<V> places = tilted().places();
  ASSERT_EQ(places.size(), 6u);
  const V expected[6] = {{1, 2, 3}, {1.25, 2, 3.125}, {1.5, 2, 3.25}, {1, 1, 3}, {1.25, 1, 3.125}, {1.5, 1, 3.25}};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(norm(places[i] - expected[i]), 0) << i;
}

TEST(FieldGridFiles, H5pyReadsThem) {
  const samples::Folder folder;
  const FieldGrid grid = tilted();
  const std::vector<V> b{{1, 2, 3}, {4, 5, 6}, {0.1, 0.2, 0.3}, {-1, 0, 0}, {1e-300, 0, 7}, {8, 9, -10}};
  Clock clock;
  clock.time = 0.25, clock.step = 12;
  write_field_h5(folder / "a.h5", grid, b, clock);
  const samples::Readback back = samples::run_reader("read_h5.py", (folder / "a.h5").string());
  ASSERT_EQ(back.status, 0) << back.text;
  std::vector<Snapshot::Triple> field, places;
  for (const V& v : b) field.push_back({v.x, v.y, v.z});
  for (const V& v : grid.places()) places.push_back({v.x, v.y, v.z});
  samples::expect_array(back, "point/B", field);
  samples::expect_array(back, "point/position", places);
  samples::expect_array(back, "grid/points", std::vector<int>{3, 2});
  EXPECT_EQ(back.texts.at("unit of B"), "T");
  EXPECT_EQ(back.texts.at("format"), "'lodestone field'");
  EXPECT_EQ(back.texts.at("time"), "0.25");
}

TEST(FieldGridFiles, SameValuesGiveSameBytes) {
  const samples::Folder folder;
  const std::vector<V> b(6, V{1, 2, 3});
  for (const char* name : {"a", "b"}) {
    write_field_h5(folder / (std::string(name) + ".h5"), tilted(), b, {});
    write_field_vts(folder / (std::string(name) + ".vts"), tilted(), b, {});
  }
  for (const char* ending : {".h5", ".vts"})
    EXPECT_EQ(read_file(folder / (std::string("a") + ending)), read_file(folder / (std::string("b") + ending)));
}

}  // namespace ls::field_grid_files_test
