#pragma once
#include "base/parallel.h"
#include "fluid/lattice/row_field.h"
#include "model/fluid_state.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace ls {

// How the box ends on one side. wall: the fluid has the wall's velocity there; at rest this is no-slip, along the face
// a moving wall, through it an inlet.
enum class FaceKind : std::uint8_t { periodic, wall, free_slip, pressure };

// In lattice units, as everything here: spacing, step and the density at rest are 1.
struct LatticeSpec {
  std::array<int, 3> cells{};
  double viscosity = 1.0 / 6;
  std::array<std::array<FaceKind, 2>, 3> faces{};  // [axis][side]; periodic ones come in pairs
  bool trt = true;                                 // two relaxation times with magic number 3/16; else one (BGK)
  bool is_double = false;
};

// What acts on the fluid from outside in one step.
struct LatticeDrive {
  Vec3<double> body{};                                                     // force per volume, on every cell
  std::array<std::array<Vec3<double>, 2>, 3> velocity{};                   // [axis][side] of walls
  std::array<std::array<double, 2>, 3> density{{{1, 1}, {1, 1}, {1, 1}}};  // [axis][side] at pressure faces
};

// D3Q19 with in-place streaming. Cell (x, y, z) has its centre at (x + 1/2, ...), so walls half-way between cells lie
// on the faces of the box. Populations are stored as f - w. The lattice itself does not change: the fluid is a
// FluidState.
class Lattice {
 public:
  explicit Lattice(const LatticeSpec& spec);
  ~Lattice();
  Lattice(Lattice&&) noexcept;

  const LatticeSpec& spec() const;
  int rows() const;  // ny * nz
  long long cells() const;
  std::size_t bytes() const;  // of the populations

  FluidState at_rest() const;
  // Sets a cell of a fluid that has taken an even number of steps to the equilibrium of a density and a velocity.
  void set(FluidState& s, int x, int y, int z, double density, const Vec3<double>& velocity) const;

  // Collide and stream once. forces: per volume, on top of drive.body; null: none. seen: cells that are to be seen
  // as they are after the step; it has them at hand when it passes. Null: none.
  void step(FluidState& s, const LatticeDrive& drive, const RowField* forces, Team& team,
            RowField* seen = nullptr) const;
  // step() once with each of the drives, nobody looking at the fluid in between: to the same bits. Boxes that stream
  // from memory take several in one sweep. In s.before it leaves the impulse before the last one.
  void steps(FluidState& s, std::span<const LatticeDrive> drives, Team& team) const;
  // How many it takes in one sweep with so many threads, where there are enough: 1 where a sweep would not pay.
  int most_in_sweep(int threads) const;

  // Density - 1 and momentum of cells first..last-1 of a row, as they enter the next collision: the velocity is
  // (momentum + half the force) / density. out[k][0] is of the first.
  void moments(const FluidState& s, int row, int first, int last, double* const out[4]) const;
  // Of all cells of a field: momentum over density, then 1 over density.
  void see(const FluidState& s, RowField& seen, Team& team) const;
  // Sums over all cells, in an order that does not depend on threads.
  struct Totals {
    double mass = 0;  // beyond that of fluid at rest
    Vec3<double> momentum{};
    double absolute = 0;  // sum of the momenta's absolute values
    bool finite = true;
  };
  Totals totals(const FluidState& s, Team& team) const;

 private:
  struct Layout;
  std::unique_ptr<const Layout> layout_;
};

}  // namespace ls
