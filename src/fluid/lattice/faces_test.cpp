#include "fluid/lattice/lattice_step.h"
#include "fluid/lattice/test_naive_lattice.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ls;
using namespace ls::test;
using namespace ls::d3q19;

namespace {

struct Place {
  std::ptrdiff_t population;
  std::ptrdiff_t row, cell;
};

Place place_of(const LatticeLayout& layout, std::ptrdiff_t number) {
  const auto& s = layout.strides;
  const std::ptrdiff_t population = number / s.column, rest = number % s.column;
  return {population, rest / s.row, rest % s.row};
}

// Where what leaves cell x of a row in direction i is written.
std::ptrdiff_t written(const LatticeLayout& layout, bool odd, int row, int x, int i) {
  const RowKind& kind = layout.kind(odd, row);
  const auto k = static_cast<std::size_t>(i);
  const bool is_end = cx[i] != 0 && x == (cx[i] > 0 ? layout.spec.cells[0] - 1 : 0);
  return row * layout.strides.row + (is_end ? kind.end[k] : kind.slot[k] + x);
}

}  // namespace

// Each population of each cell has one place, off the padding, in both phases.
TEST(Faces, EveryPlaceIsWrittenOnce) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const LatticeLayout layout(random_spec(random, true));
    for (const bool odd : {false, true}) {
      std::vector<int> times(static_cast<std::size_t>(count * layout.strides.column), 0);
      for (int row = 0; row < layout.rows(); ++row)
        for (int x = 0; x < layout.spec.cells[0]; ++x)
          for (int i = 0; i < count; ++i) {
            const std::ptrdiff_t at = written(layout, odd, row, x, i);
            ASSERT_GE(at, 0);
            ASSERT_LT(at, static_cast<std::ptrdiff_t>(times.size()));
            ASSERT_LT(place_of(layout, at).cell, layout.spec.cells[0]);
            ++times[at];
          }
      ASSERT_EQ(*std::max_element(times.begin(), times.end()), 1);
    }
  }
}

// In odd steps populations go where streaming takes them, in even ones to the opposite place of their own cell.
TEST(Faces, PopulationsGoWhereStreamingTakesThem) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const LatticeLayout layout(random_spec(random, true));
    const NaiveLattice naive(layout.spec);
    const int ny = layout.spec.cells[1];
    for (int row = 0; row < layout.rows(); ++row)
      for (int x = 0; x < layout.spec.cells[0]; ++x)
        for (int i = 0; i < count; ++i) {
          const Place even = place_of(layout, written(layout, false, row, x, i));
          ASSERT_EQ(even.population, opposite[i]);
          ASSERT_EQ(even.row, row);
          ASSERT_EQ(even.cell, x);
          const Place odd = place_of(layout, written(layout, true, row, x, i));
          const auto to = naive.target({x, row % ny, row / ny}, i);
          ASSERT_EQ(odd.population, to[3]);
          ASSERT_EQ(odd.row, to[2] * ny + to[1]);
          ASSERT_EQ(odd.cell, to[0]);
        }
  }
}

// Padding that the loops write lies beside a row, and no two rows share any.
TEST(Faces, PaddingIsNotShared) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const LatticeLayout layout(random_spec(random, true));
    std::vector<std::ptrdiff_t> pads;
    for (int row = 0; row < layout.rows(); ++row)
      for (const EndCell& e : layout.kind(true, row).ends) {
        pads.push_back(layout.row_start(row) + e.pad);
        ASSERT_GE(pads.back(), 0);
        const std::ptrdiff_t beside = place_of(layout, pads.back() - layout.origin + 1).cell;
        ASSERT_TRUE(beside == 0 || beside == layout.spec.cells[0] + 1) << beside;
      }
    std::sort(pads.begin(), pads.end());
    ASSERT_EQ(std::adjacent_find(pads.begin(), pads.end()), pads.end());
  }
}

// Every link through a face is listed once, in both phases.
TEST(Faces, EveryLinkCountsOnce) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const LatticeLayout layout(random_spec(random, true));
    const auto& n = layout.spec.cells;
    for (const bool odd : {false, true}) {
      for (int row = 0; row < layout.rows(); ++row) {
        const RowKind& kind = layout.kind(odd, row);
        for (int x = 0; x < n[0]; ++x)
          for (int i = 0; i < count; ++i) {
            const int cell[3] = {x, row % n[1], row / n[1]}, c[3] = {cx[i], cy[i], cz[i]};
            int first_face = -1;
            for (std::size_t axis = 3; axis-- > 0;) {
              const int to = cell[axis] + c[axis], side = c[axis] > 0 ? 1 : 0;
              const FaceKind face = layout.spec.faces[axis][side];
              if ((to < 0 || to >= n[axis]) && face != periodic) first_face = 2 * static_cast<int>(axis) + side;
            }
            int listed = 0;
            for (const FaceLink& link : kind.links) {
              if (link.direction != i || x < link.cell || x >= link.cell + link.count) continue;
              ++listed;
              ASSERT_EQ(link.faces[0], first_face);
              // Values that are written to the padding are looked at there.
              const std::ptrdiff_t at = link.at + x - link.cell, place = written(layout, odd, row, x, i);
              const bool is_pad = std::any_of(kind.ends.begin(), kind.ends.end(), [&](const EndCell& e) {
                return e.pad == at && row * layout.strides.row + e.place == place;
              });
              ASSERT_TRUE(row * layout.strides.row + at == place ||
                          (is_pad && &link < kind.links.data() + kind.long_links));
            }
            ASSERT_EQ(listed, first_face < 0 ? 0 : 1);
          }
      }
    }
  }
}

// Whatever the size of a box that streams from memory: no four of its columns begin within a page of each other in a
// second-level cache of 1024 sets, and no two in the first-level one.
TEST(LatticeLayouts, ColumnsDoNotMeetInTheCaches) {
  constexpr std::ptrdiff_t line = 64, page = 64, sets = 1024;
  for (const bool is_double : {false, true})
    for (int across = 144; across < 192; ++across) {
      LatticeSpec spec;
      spec.cells = {across, 96, 80};
      spec.is_double = is_double;
      const LatticeLayout layout(spec);
      const std::ptrdiff_t bytes = layout.strides.column * (is_double ? 8 : 4), lines = bytes / line;
      ASSERT_EQ(bytes % line, 0);
      ASSERT_GE(layout.strides.column, layout.rows() * layout.strides.row);
      for (int i = 0; i < count; ++i) {
        int near = 0;
        for (int j = 0; j < count; ++j) {
          if (((j - i) * lines % sets + sets) % sets < page) ++near;
          ASSERT_TRUE(i == j || (j - i) * lines % page != 0) << across;
        }
        ASSERT_LT(near, 4) << across;
      }
      EXPECT_LT(static_cast<double>(layout.bytes), (is_double ? 8 : 4) * 19 * 1.15 * across * 96 * 80) << across;
    }
}
