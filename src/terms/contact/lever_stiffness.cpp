#include "terms/contact/lever_stiffness.h"

#include "math/component.h"
#include "terms/contact/barrier_pair.h"

namespace ls {

void add_to_nodes(const LeverPlaces& p, const double* h, const Vec3<double>* slope, BlockMatrix& out) {
  constexpr int w = BlockMatrix::width;
  const auto row = [&](int k, double(&j)[3][w]) {
    const Vec3<double>& l = p.lever[k];
    const double cross[3][3] = {{0, l.z, -l.y}, {-l.z, 0, l.x}, {l.y, -l.x, 0}};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) j[r][c] = r == c ? 1 : 0, j[r][3 + c] = cross[r][c];
  };
  for (int k = 0; k < p.count; ++k)
    for (int l = 0; l < p.count; ++l) {
      if (p.node[k] < p.node[l]) continue;
      double jk[3][w], jl[3][w], hj[3][w];
      row(k, jk), row(l, jl);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < w; ++c) {
          double sum = 0;
          for (int m = 0; m < 3; ++m) sum += h[PairPush::rows * (3 * k + r) + 3 * l + m] * jl[m][c];
          hj[r][c] = sum;
        }
      double* to = p.node[k] == p.node[l] ? out.diagonal(p.node[k]) : out.block(p.node[k], p.node[l]);
      for (int r = 0; r < w; ++r)
        for (int c = 0; c < w; ++c) to[w * r + c] += jk[0][r] * hj[0][c] + jk[1][r] * hj[1][c] + jk[2][r] * hj[2][c];
    }
  if (!slope) return;
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
