#include "dipoles/periodic/mesh_transform.h"

#include <algorithm>
#include <complex>
#include <unsupported/Eigen/FFT>

namespace ls {

// Eigen's transforms keep tables of their own: one object a thread.
struct MeshTransform::Plans {
  using Complex = std::complex<double>;
  struct Worker {
    Eigen::FFT<double> fft;
    std::vector<Complex> in, out;
  };
  std::vector<Complex> waves;  // [x][y][z to nodes/2]
  std::vector<Worker> workers;

  // body(index, worker) for all indices, each worker a share of its own.
  template <class Body>
  void run(Team& team, int count, const Body& body) {
    const int shares = std::min(team.active(), count);
    while (static_cast<int>(workers.size()) < shares) {
      workers.emplace_back();
      workers.back().fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
      workers.back().fft.SetFlag(Eigen::FFT<double>::Unscaled);
    }
    team.run(shares, 2, [&](int begin, int end) {
      for (int share = begin; share < end; ++share)
        for (int i = share; i < count; i += shares) body(i, workers[static_cast<std::size_t>(share)]);
    });
  }
};

MeshTransform::MeshTransform(const std::array<int, 3>& nodes) : nodes_(nodes), plans_(std::make_unique<Plans>()) {
  const auto rows = static_cast<std::size_t>(nodes_[0]) * static_cast<std::size_t>(nodes_[1]);
  values_.assign(rows * static_cast<std::size_t>(stride()), 0);
  influence_.assign(rows * static_cast<std::size_t>(waves()), 0);
  plans_->waves.resize(influence_.size());
}
MeshTransform::~MeshTransform() = default;
MeshTransform::MeshTransform(MeshTransform&&) noexcept = default;
MeshTransform& MeshTransform::operator=(MeshTransform&&) noexcept = default;

void MeshTransform::convolve(Team& team) {
  transform_rows(team, true);
  transform_columns(team, true);
  transform_planes(team);
  transform_columns(team, false);
  transform_rows(team, false);
}

void MeshTransform::transform_rows(Team& team, bool is_forward) {
  const int n = nodes_[2];
  plans_->run(team, nodes_[0], [&](int x, Plans::Worker& worker) {
    for (int y = 0; y < nodes_[1]; ++y) {
      const std::size_t at =
          static_cast<std::size_t>(x) * static_cast<std::size_t>(nodes_[1]) + static_cast<std::size_t>(y);
      double* const row = values_.data() + at * static_cast<std::size_t>(stride());
      std::complex<double>* const wave = plans_->waves.data() + at * static_cast<std::size_t>(waves());
      if (is_forward) {
        for (int z = 0; z < beyond; ++z) row[z] += row[n + z];
        worker.fft.fwd(wave, row, n);
      } else {
        worker.fft.inv(row, wave, n);
        std::copy_n(row, beyond, row + n);
      }
    }
  });
}

void MeshTransform::transform_columns(Team& team, bool is_forward) {
  const int n = nodes_[1];
  const auto step = static_cast<std::size_t>(waves());
  plans_->run(team, nodes_[0], [&](int x, Plans::Worker& worker) {
    worker.in.resize(static_cast<std::size_t>(n));
    worker.out.resize(static_cast<std::size_t>(n));
    std::complex<double>* const plane =
        plans_->waves.data() + static_cast<std::size_t>(x) * static_cast<std::size_t>(n) * step;
    for (std::size_t z = 0; z < step; ++z) {
      for (std::size_t y = 0; y < worker.in.size(); ++y) worker.in[y] = plane[y * step + z];
      if (is_forward)
        worker.fft.fwd(worker.out.data(), worker.in.data(), n);
      else
        worker.fft.inv(worker.out.data(), worker.in.data(), n);
      for (std::size_t y = 0; y < worker.in.size(); ++y) plane[y * step + z] = worker.out[y];
    }
  });
}

void MeshTransform::transform_planes(Team& team) {
  const auto n = static_cast<std::size_t>(nodes_[0]), step = static_cast<std::size_t>(waves());
  const std::size_t plane = static_cast<std::size_t>(nodes_[1]) * step;
  plans_->run(team, nodes_[1], [&](int y, Plans::Worker& worker) {
    // Waves of one y, turned so that those along x lie side by side: reading them one by one would miss the cache.
    worker.in.resize(n * step);
    worker.out.resize(n);
    const std::size_t first = static_cast<std::size_t>(y) * step;
    for (std::size_t x = 0; x < n; ++x)
      for (std::size_t z = 0; z < step; ++z) worker.in[z * n + x] = plans_->waves[x * plane + first + z];
    for (std::size_t z = 0; z < step; ++z) {
      std::complex<double>* const line = worker.in.data() + z * n;
      worker.fft.fwd(worker.out.data(), line, static_cast<int>(n));
      for (std::size_t x = 0; x < n; ++x) worker.out[x] *= influence_[x * plane + first + z];
      worker.fft.inv(line, worker.out.data(), static_cast<int>(n));
    }
    for (std::size_t x = 0; x < n; ++x)
      for (std::size_t z = 0; z < step; ++z) plans_->waves[x * plane + first + z] = worker.in[z * n + x];
  });
}

}  // namespace ls
