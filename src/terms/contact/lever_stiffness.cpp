#include "terms/contact/lever_stiffness.h"

#include "math/component.h"
#include "terms/contact/barrier_pair.h"

namespace ls {

namespace {

constexpr int w = BlockMatrix::width;

// What a stiffness between two places is between their nodes: with dx = v + w x lever,
//   (A, A X; X'^T A, X'^T A X)  where X w = w x lever, X' likewise of the other.
void add_block(const double (&a)[3][3], const Vec3<double>& left, const Vec3<double>& right, double* to) {
  double ax[3][3];
  for (int r = 0; r < 3; ++r) {
    ax[r][0] = a[r][2] * right.y - a[r][1] * right.z;
    ax[r][1] = a[r][0] * right.z - a[r][2] * right.x;
    ax[r][2] = a[r][1] * right.x - a[r][0] * right.y;
  }
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) to[w * r + c] += a[r][c], to[w * r + 3 + c] += ax[r][c];
    to[w * 3 + c] += left.y * a[2][c] - left.z * a[1][c];
    to[w * 4 + c] += left.z * a[0][c] - left.x * a[2][c];
    to[w * 5 + c] += left.x * a[1][c] - left.y * a[0][c];
    to[w * 3 + 3 + c] += left.y * ax[2][c] - left.z * ax[1][c];
    to[w * 4 + 3 + c] += left.z * ax[0][c] - left.x * ax[2][c];
    to[w * 5 + 3 + c] += left.x * ax[1][c] - left.y * ax[0][c];
  }
}

}  // namespace

void add_to_nodes(const LeverPlaces& p, const double* h, BlockMatrix& out) {
  for (int k = 0; k < p.count; ++k)
    for (int l = 0; l < p.count; ++l) {
      if (p.node[k] < p.node[l]) continue;
      double a[3][3];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) a[r][c] = h[PairPush::rows * (3 * k + r) + 3 * l + c];
      double* to = p.node[k] == p.node[l] ? out.diagonal(p.node[k]) : out.block(p.node[k], p.node[l]);
      add_block(a, p.lever[k], p.lever[l], to);
    }
}

void add_between(const TwoPlaces& p, const double (&m)[3][3], BlockMatrix& out) {
  add_block(m, p.lever_a, p.lever_a, out.diagonal(p.a));
  add_block(m, p.lever_b, p.lever_b, out.diagonal(p.b));
  double across[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) across[r][c] = -m[r][c];
  if (p.a > p.b)
    add_block(across, p.lever_a, p.lever_b, out.block(p.a, p.b));
  else
    add_block(across, p.lever_b, p.lever_a, out.block(p.b, p.a));
}

void add_product(int a, int b, const TwoForms& f, const TwoForms& g, double factor, BlockMatrix& out) {
  const auto add = [&](const double* left, const double* right, double* to) {
    for (int r = 0; r < w; ++r)
      for (int c = 0; c < w; ++c) to[w * r + c] += factor * left[r] * right[c];
  };
  double* const across = a > b ? out.block(a, b) : out.block(b, a);
  const auto add_all = [&](const TwoForms& p, const TwoForms& q) {
    add(p.a, q.a, out.diagonal(a)), add(p.b, q.b, out.diagonal(b));
    a > b ? add(p.a, q.b, across) : add(p.b, q.a, across);
  };
  add_all(f, g);
  if (&f != &g) add_all(g, f);
}

void add_turning(const LeverPlaces& p, const Vec3<double>* slope, BlockMatrix& out) {
  for (int k = 0; k < p.count; ++k) {
    const Vec3<double>&g = slope[k], &l = p.lever[k];
    double* d = out.diagonal(p.node[k]);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        d[w * (3 + r) + 3 + c] +=
            0.5 * (component(g, r) * component(l, c) + component(l, r) * component(g, c)) - (r == c ? dot(g, l) : 0.0);
  }
}

}  // namespace ls
