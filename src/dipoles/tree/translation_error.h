#pragma once

namespace ls {

inline constexpr int offset_classes = 16;
inline constexpr int least_order = 2;  // of a translation

// rms of the error of B, over a random place in the target cell, that a translation of this order makes of one unit
// dipole at a random place and of random direction in the source cell; cells of side one, `offset` of their centres by
// class (offset_class). Found by sampling, 4000 pairs a class; beyond order 24
// its decay goes on.
double translation_error(int offset, int order);

// Of cells that are neighbours neither in x, y nor z by more than three: their offsets but for signs and order.
int offset_class(int x, int y, int z);

// The order of the expansions that an accuracy asks for (rms of errors over rms), and how many dipoles a leaf should
// then have so that near and far take about equally long.
int order_for(double accuracy);
// Single precision leaves 5e-7, and cannot hold the multipoles of order 16 and more, which go with 1/(2 order)!.
inline constexpr int most_order_in_single = 15;
bool serves_in_single(double accuracy);
double leaf_for(int order);

}  // namespace ls
