#include "dipoles/tree/translations.h"

#include "base/rng.h"
#include "dipoles/tree/derivatives.h"
#include "dipoles/tree/translation_error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>

namespace ls {

namespace {

using Complex = std::complex<double>;

// The complex harmonic of any sign of m, with the phases for which h_l,-m = (-1)^m conj(h_lm): then all addition
// theorems have factors one.
Complex complex_harmonic(const double* h, int l, int m) {
  if (m == 0) return h[l * l];
  const int k = std::abs(m);
  const Complex v(h[l * l + 2 * k - 1], h[l * l + 2 * k]);
  return m > 0 ? (k % 2 ? -v : v) : std::conj(v);
}
// Its part of a real harmonic: k = 0 the real, 1 the imaginary one.
Complex part_of(int m, int k) {
  const Complex u = k == 0 ? Complex(1) : (m > 0 ? Complex(0, 1) : Complex(0, -1));
  return m > 0 && m % 2 ? -u : u;
}
int parts(int m) {
  return m == 0 ? 1 : 2;
}
// Places in a vector without degree 0.
int row_of(int l, int m, int k) {
  return (m == 0 ? l * l : l * l + 2 * std::abs(m) - 1 + k) - 1;
}
int degree_of(int row) {
  return static_cast<int>(std::sqrt(row + 1.5));
}

constexpr std::size_t beyond = 8;  // the last column is read in whole registers

// Of an entry in a matrix by columns.
std::size_t place(int height, int row, int column) {
  return static_cast<std::size_t>(column) * static_cast<std::size_t>(height) + static_cast<std::size_t>(row);
}
// A matrix of doubles by columns.
struct Dense {
  int height;
  std::vector<double> a;
  Dense(int rows, int columns) : height(rows), a(place(rows, 0, columns)) {}
  double& at(int row, int column) { return a[place(height, row, column)]; }
};

// Local coefficients L = K M from multipoles M, for target centre - source centre = d:
// L_lm gets (-1)^l S_(l+k)(m+n)(d) M_kn.
Dense multipole_to_local(int order, int height, const std::array<double, 3>& d) {
  std::vector<double> s(static_cast<std::size_t>(harmonics_to(2 * order)));
  irregular_harmonics<double>(2 * order, d[0], d[1], d[2], 1 / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
                              s.data());
  Dense k(height, order * (order + 2));
  for (int l = 1; l <= order; ++l)
    for (int m = -l; m <= l; ++m)
      for (int j = 1; j <= order; ++j)
        for (int n = -j; n <= j; ++n) {
          const Complex v = complex_harmonic(s.data(), l + j, m + n) * (l % 2 ? -1.0 : 1.0);
          for (int p = 0; p < parts(m); ++p)
            for (int q = 0; q < parts(n); ++q)
              k.at(row_of(l, m, p), row_of(j, n, q)) +=
                  (v * std::conj(part_of(m, p)) * std::conj(part_of(n, q))).real();
        }
  return k;
}

// T with R_b(x + t) = sum T[b][c] R_c(x).
Dense shift_matrix(int order, const std::array<double, 3>& t) {
  std::vector<double> r(static_cast<std::size_t>(harmonics_to(order)));
  regular_harmonics<double>(order, t[0], t[1], t[2], r.data());
  Dense s(order * (order + 2), order * (order + 2));
  for (int l = 1; l <= order; ++l)
    for (int m = 0; m <= l; ++m)
      for (int j = 1; j <= l; ++j)
        for (int n = -j; n <= j; ++n) {
          if (std::abs(m - n) > l - j) continue;
          const Complex v = complex_harmonic(r.data(), l - j, m - n) * (m % 2 ? -1.0 : 1.0);
          for (int q = 0; q < parts(n); ++q) {
            const Complex w = v * part_of(n, q);
            s.at(row_of(l, m, 0), row_of(j, n, q)) += w.real();
            if (m) s.at(row_of(l, m, 1), row_of(j, n, q)) += w.imag();
          }
        }
  return s;
}

}  // namespace

template <class R>
Translations<R>::Translations(int order) : order_(order), height_(padded_rows(order)) {
  make_mirrors();
  make_far();
  make_shifts();
  make_unit_power();
}

template <class R>
void Translations<R>::make_far() {
  constexpr double negligible = 0.1;  // an error beside that of the nearest pair, which has the full order
  for (int o = 0; o < 64; ++o) {
    const std::array<int, 3> offset{o % 4, o / 4 % 4, o / 16};
    if (std::max({offset[0], offset[1], offset[2]}) < 2) continue;
    Far& far = far_[far_index(offset)];
    const int kind = offset_class(offset[0], offset[1], offset[2]);
    far.order = kind == 0 ? order_ : least_order;
    while (far.order < order_ && translation_error(kind, far.order) > negligible * translation_error(0, order_))
      ++far.order;
    const int size = far.order * (far.order + 2);
    sort_by_parity(offset,
                   multipole_to_local(far.order, size, {-1.0 * offset[0], -1.0 * offset[1], -1.0 * offset[2]}).a, far);
  }
}

template <class R>
int Translations<R>::parity(int row) const {
  int bits = 0;
  for (int k = 0; k < 3; ++k)
    if (mirror(1 << k)[row] < 0) bits |= 1 << k;
  return bits;
}

// With S_f the signs that a mirror f gives to an expansion, K that of the offset and M_f the multipoles of its image,
//   L = sum_f S_f K S_f M_f,  of rows with parity g:  L_g = sum_g' K_gg' sum_f (-1)^(bits of f, g and g') M_f,g':
// one product with combinations of the images. Where the offset is zero along an axis the image is the cell itself, and
// only rows and columns of one parity have to do with each other; where it is three the image is not on this list (it
// is no child of a neighbour of the parent), and all combinations are the same.
template <class R>
void Translations<R>::sort_by_parity(const std::array<int, 3>& offset, const std::vector<double>& matrix,
                                     Far& far) const {
  int paired = 0, even = 0;  // bits of axes with images; with none since the offset is zero
  std::array<int, 8> combination{};
  for (int k = 0; k < 3; ++k) {
    const int along = offset[static_cast<std::size_t>(k)];
    if (along == 0) even |= 1 << k;
    if (along != 1 && along != 2) continue;
    for (int h = 0; h < 8; ++h)
      if (h >> k & 1) combination[static_cast<std::size_t>(h)] |= 1 << std::popcount(static_cast<unsigned>(paired));
    paired |= 1 << k;
  }
  const int size = far.order * (far.order + 2);
  far.matrix.images = 1 << std::popcount(static_cast<unsigned>(paired));
  far.matrix.size = size;
  for (std::size_t g = 0; g < 8; ++g) {
    auto& group = far.matrix.group[g];
    auto &rows = far.rows[g], &inputs = far.inputs[g];
    std::vector<int> columns;
    for (int i = 0; i < size; ++i) {
      const int difference = parity(i) ^ static_cast<int>(g);
      if (difference == 0) rows.push_back(i);
      if (difference & even) continue;
      columns.push_back(i);
      inputs.push_back(combination[static_cast<std::size_t>(difference)] * MirrorMatrix<R>::input_stride + i);
    }
    for (const int column : columns)
      for (const int row : rows) far.values[g].push_back(R(matrix[place(size, row, column)]));
    for (int p = 0; p <= far.order; ++p) {
      const auto below = [p](const std::vector<int>& list) {
        return static_cast<int>(std::lower_bound(list.begin(), list.end(), p * (p + 2)) - list.begin());
      };
      group.rows_to[p] = below(rows);
      group.columns_to[p] = below(columns);
    }
    group.height = static_cast<int>(rows.size());
    group.matrix = far.values[g].data();
    group.rows = rows.data();
    group.inputs = inputs.data();
  }
}

// Lengths are in units of the cell, so from a child to its parent they are halved.
template <class R>
void Translations<R>::make_shifts() {
  up_.assign(8 * block() + beyond, R(0));
  down_.assign(8 * block() + beyond, R(0));
  for (int octant = 0; octant < 8; ++octant) {
    Dense t =
        shift_matrix(order_, {(octant & 1) * 0.5 - 0.25, (octant >> 1 & 1) * 0.5 - 0.25, (octant >> 2) * 0.5 - 0.25});
    for (int column = 0; column < size(); ++column)
      for (int row = 0; row < size(); ++row) {
        const double v = std::ldexp(t.at(row, column), -degree_of(column));
        up_[static_cast<std::size_t>(octant) * block() + place(height_, row, column)] = R(2 * v);
        down_[static_cast<std::size_t>(octant) * block() + place(height_, column, row)] = R(0.25 * v);
      }
  }
}

template <class R>
void Translations<R>::make_mirrors() {
  mirror_.assign(place(height_, 0, 8), R(1));
  for (int axes = 0; axes < 8; ++axes)
    for (int l = 1; l <= order_; ++l)
      for (int m = 0; m <= l; ++m)
        for (int k = 0; k < parts(m); ++k) {
          int flips = 0;
          if (axes & 1) flips += m + k;  // x: phi becomes pi - phi
          if (axes & 2) flips += k;      // y: - phi
          if (axes & 4) flips += l + m;  // z
          if (flips % 2) mirror_[place(height_, row_of(l, m, k), axes)] = R(-1);
        }
}

template <class R>
void Translations<R>::make_unit_power() {
  constexpr int samples = 2048;
  const std::vector<Derivative> table = regular_derivatives(1, order_);
  std::vector<double> h(most_harmonics), a(most_harmonics);
  for (int s = 0; s < samples; ++s) {
    const auto random = [s](std::uint64_t which) { return uniform(1, 0, static_cast<std::uint64_t>(s), which) - 0.5; };
    regular_harmonics<double>(order_, random(0), random(1), random(2), h.data());
    const double w[3] = {2 * random(3), 2 * random(4), 2 * random(5)};  // of mean square one
    std::fill(a.begin(), a.end(), 0.0);
    for (const Derivative& d : table)
      a[static_cast<std::size_t>(d.of)] += d.factor * w[d.axis] * h[static_cast<std::size_t>(d.in)];
    for (int l = 1; l <= order_; ++l)
      unit_power_[static_cast<std::size_t>(l)] += degree_power(a.data() + 1, l) / samples;
  }
}

template class Translations<float>;
template class Translations<double>;

}  // namespace ls
