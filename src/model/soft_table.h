#pragma once
#include "math/quat.h"
#include "math/sym3.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ls {

enum class SoftCurve : std::uint8_t { linear, froehlich, langevin };

// What fields magnetise, without hysteresis (physics/magnetisation_curve.h).
struct SoftMatter {
  Vec3<double> susceptibility{};  // along the axes of the body; all alike where it saturates
  SoftCurve curve = SoftCurve::linear;
  double saturation = 0;  // A/m; 0: none

  bool is_soft() const { return susceptibility.x != 0; }
};

inline constexpr int most_sheet_rings = 4;

// A piece of soft matter that is magnetised uniformly, and acts on others as a dipole in its middle.
struct SoftCell {
  int node = 0;
  Vec3<double> position{};  // m, in the node's own axes, as all else here
  double volume = 0;        // m^3
  SoftCurve curve = SoftCurve::linear;
  Sym3 inverse;           // of the susceptibility
  double saturation = 0;  // A/m
  Sym3 factor;            // demagnetising factor of its shape; of cells of a grid: see there
  // Of a rod's node: what those of an endless straight rod do to each other is minus this times the sum of 1/k^3 over
  // those k bonds away; where they act, it is theirs. Of a sheet's: what is uneven in where its neighbours are.
  Sym3 chain;
  // Of a node of a sheet, whose factor is 1 along the normal: what all that are more bonds away have of that; half as
  // much less within. Zero: it is of none.
  std::array<double, most_sheet_rings> sheet{};
};

// Cells of one body in a regular grid, which act on each other as the cuboids they are.
struct SoftGrid {
  int first = 0, last = 0;             // [first, last) of the cells
  Vec3<double> cell{};                 // m, the size of one
  Quat<double> axes;                   // of the grid, in the node's own axes
  std::vector<std::array<int, 3>> at;  // [of its cells] where in the grid
  std::vector<double> share;           // [of its cells] of the cuboid that is filled
};

// All of a rigid body, in one cell or in those of a grid.
struct SoftBody {
  std::vector<SoftCell> cells;
  SoftGrid grid;  // empty: there is one cell
};

struct SoftTable {
  std::vector<SoftCell> cells;  // by node
  std::vector<SoftGrid> grids;  // by cell
};

}  // namespace ls
