#include "base/column_block.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ls::column_block_test {

bool is_aligned(const Column& c) {
  return reinterpret_cast<std::uintptr_t>(c.data()) % 64 == 0;
}

TEST(ColumnBlock, HasColumnsAtEqualDistances) {
  for (const int nodes : {1, 7, 8, 100, 505, 1000}) {
    const auto length = static_cast<std::size_t>(padded(nodes));
    ColumnBlock block(3, length);
    Column c[3];
    {
      const ColumnBlock::Scope scope(block);
      for (Column& one : c) one.assign(length, 1.5);
    }
    for (int k = 0; k < 3; ++k) {
      EXPECT_TRUE(is_aligned(c[k]));
      EXPECT_EQ(c[k].data() - c[0].data(), static_cast<std::ptrdiff_t>(block.distance()) * k);
      EXPECT_EQ(c[k], Column(length, 1.5));
    }
    c[1] = Column(length, 2.0);  // a move takes the other's memory, a copy keeps its own
    const Column other(length, 3.0);
    const double* place = c[2].data();
    c[2] = other;
    EXPECT_EQ(c[2].data(), place);
    EXPECT_NE(c[1].data() - c[0].data(), static_cast<std::ptrdiff_t>(block.distance()));
  }
}

TEST(ColumnBlock, LeavesWhatHasNoRoomToTheHeap) {
  ColumnBlock block(2, 8);
  const ColumnBlock::Scope scope(block);
  const Column first(8, 1.0), longer(100, 2.0), second(8, 3.0), third(8, 4.0);
  EXPECT_EQ(second.data() - first.data(), static_cast<std::ptrdiff_t>(block.distance()));
  for (const Column* c : {&first, &longer, &second, &third}) EXPECT_TRUE(is_aligned(*c));
  EXPECT_EQ(first[7], 1.0);
  EXPECT_EQ(longer[99], 2.0);
  EXPECT_EQ(third[7], 4.0);
}

TEST(ColumnBlock, IsOneOfTheThreadThatOpenedIt) {
  ColumnBlock outer(2, 8), inner(1, 8);
  const ColumnBlock::Scope scope(outer);
  const Column first(8, 1.0);
  {
    const ColumnBlock::Scope nested(inner);
    const Column elsewhere(8, 2.0);
    EXPECT_NE(elsewhere.data() - first.data(), static_cast<std::ptrdiff_t>(outer.distance()));
  }
  const Column second(8, 3.0);
  EXPECT_EQ(second.data() - first.data(), static_cast<std::ptrdiff_t>(outer.distance()));
}

}  // namespace ls::column_block_test
