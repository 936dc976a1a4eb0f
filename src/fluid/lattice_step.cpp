#include "fluid/lattice_step.h"

#include "fluid/row_loops.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using namespace d3q19;

// What a link does to its values in this step: value -> sign value + shift.
template <class T>
struct LinkTerm {
  T sign = 1, shift = 0;
  double density = 0;  // of a pressure face, else 0
};

template <class T>
struct KindTerms {
  std::vector<LinkTerm<T>> links;
  bool has_pressure_row = false, has_pressure_end = false;
};

// The velocity of a link's wall. Where two walls meet it is, by components, the faster one: an inlet beside a wall at
// rest then lets in what its area says, and a lid that slides along stays tight.
void add_velocity(double (&u)[3], const Vec3<double>& wall) {
  const double v[3] = {wall.x, wall.y, wall.z};
  for (int k = 0; k < 3; ++k)
    if (std::abs(v[k]) > std::abs(u[k])) u[k] = v[k];
}

// Walls (Ladd 1994, half-way, with the density at rest): h_back = h - 6 w c.u.
// Pressure: h_back = -h + 2 w (density - 1) + 2 w density (9/2 (c.u)^2 - 3/2 u^2), with the velocity through the face
// only. As anti-bounce-back (Ginzburg, Verhaeghe and d'Humieres 2008), but what comes back goes on along the face: of
// two directions that are mirror images, velocities through the face and the shear of a flow along walls cancel in the
// sum. With opposite ones the shear does not, and the pressure is off by that of half a cell.
template <class T>
LinkTerm<T> link_term(const LatticeSpec& spec, const FaceLink& link, const LatticeDrive& drive) {
  LinkTerm<T> term;
  const int i = link.direction;
  double u[3] = {};
  for (const int face : link.faces) {
    if (face < 0) continue;
    const auto axis = static_cast<std::size_t>(face / 2), side = static_cast<std::size_t>(face % 2);
    if (spec.faces[axis][side] == FaceKind::wall) add_velocity(u, drive.velocity[axis][side]);
    if (spec.faces[axis][side] == FaceKind::pressure && link.kind == FaceKind::pressure && term.density == 0)
      term.density = drive.density[axis][side];
  }
  if (link.kind == FaceKind::wall)
    term.shift = static_cast<T>(-6 * weight[i] * (cx[i] * u[0] + cy[i] * u[1] + cz[i] * u[2]));
  if (link.kind == FaceKind::pressure) term.sign = -1, term.shift = static_cast<T>(2 * weight[i] * (term.density - 1));
  return term;
}

template <class T>
Collision<T> collision(const LatticeSpec& spec, const LatticeDrive& drive) {
  constexpr double magic = 3. / 16;  // (1/even - 1/2)(1/odd - 1/2): walls lie half-way whatever the viscosity
  Collision<T> c;
  c.even = static_cast<T>(1 / (0.5 + 3 * spec.viscosity));
  c.odd = spec.trt ? static_cast<T>(1 / (0.5 + magic / (3 * spec.viscosity))) : c.even;
  c.body[0] = static_cast<T>(drive.body.x), c.body[1] = static_cast<T>(drive.body.y);
  c.body[2] = static_cast<T>(drive.body.z);
  return c;
}

struct FaceSums {
  double face[6][3] = {};  // [2 axis + side]
};

template <class T>
class StepRows {
 public:
  StepRows(const LatticeLayout& layout, FluidState& s, const LatticeDrive& drive, const RowField* forces)
      : layout_(layout),
        populations_(reinterpret_cast<T*>(s.populations.data())),
        odd_(s.odd),
        drive_(drive),
        forces_(forces),
        loops_(row_loops<T>()),
        collision_(collision<T>(layout.spec, drive)) {
    std::array<bool, 16> is_used{};
    for (int row = 0; row < layout.rows(); ++row) is_used[static_cast<std::size_t>(layout.row_place(row))] = true;
    for (std::size_t k = 0; k < terms_.size(); ++k)
      if (is_used[k]) add_terms(terms_[k], layout.kinds[odd_ ? 1 : 0][k]);
  }

  // Room for a row: each thread has its own.
  struct Scratch {
    std::vector<T> force;         // [3][cell]
    std::vector<T> shift;         // [link][cell] of pressure faces
    std::vector<double> moments;  // [4][cell]
  };

  void step_row(int row, Scratch& scratch, FaceSums& sums) const {
    const auto place = static_cast<std::size_t>(layout_.row_place(row));
    const RowKind& kind = layout_.kinds[odd_ ? 1 : 0][place];
    const KindTerms<T>& terms = terms_[place];
    T* const base = populations_ + layout_.row_start(row);
    T* slot[count];
    for (int i = 0; i < count; ++i) slot[i] = base + kind.slot[static_cast<std::size_t>(i)];
    if (odd_)
      for (const EndCell& e : kind.ends) base[e.pad] = base[e.place];
    const T* force[3];
    const bool is_forced = load_forces(row, scratch, force);
    if (terms.has_pressure_row) {
      look_at_pressure(slot, row, 0, layout_.spec.cells[0], scratch);
    } else if (terms.has_pressure_end) {
      look_at_pressure(slot, row, 0, 1, scratch);
      look_at_pressure(slot, row, layout_.spec.cells[0] - 1, layout_.spec.cells[0], scratch);
    }
    loops_.collide(slot, layout_.spec.cells[0], collision_, is_forced ? force : nullptr);
    const auto links = static_cast<std::size_t>(kind.long_links);
    meet_faces(base, place, 0, links, scratch, sums);
    if (odd_)
      for (const EndCell& e : kind.ends) base[e.place] = base[e.pad];
    meet_faces(base, place, links, kind.links.size(), scratch, sums);
  }

 private:
  void add_terms(KindTerms<T>& terms, const RowKind& kind) {
    for (const FaceLink& link : kind.links) {
      const bool is_long = static_cast<int>(terms.links.size()) < kind.long_links;
      terms.links.push_back(link_term<T>(layout_.spec, link, drive_));
      if (link.kind == FaceKind::pressure) (is_long ? terms.has_pressure_row : terms.has_pressure_end) = true;
    }
  }

  bool load_forces(int row, Scratch& scratch, const T* (&force)[3]) const {
    const int k = forces_ ? forces_->slot(row) : -1;
    if (k < 0) return false;
    const auto nx = static_cast<std::size_t>(layout_.spec.cells[0]);
    scratch.force.resize(3 * nx);
    for (int c = 0; c < 3; ++c) {
      T* const to = scratch.force.data() + static_cast<std::size_t>(c) * nx;
      const double* const from = forces_->column(k, c);
      for (std::size_t x = 0; x < nx; ++x) to[x] = static_cast<T>(from[x]);
      force[c] = to;
    }
    return true;
  }

  // The shifts of pressure faces go by the velocities before the collision.
  void look_at_pressure(T* const* slot, int row, int first, int last, Scratch& scratch) const {
    const auto place = static_cast<std::size_t>(layout_.row_place(row));
    const RowKind& kind = layout_.kinds[odd_ ? 1 : 0][place];
    const int nx = layout_.spec.cells[0];
    scratch.moments.resize(4 * static_cast<std::size_t>(nx));
    scratch.shift.resize(kind.links.size() * static_cast<std::size_t>(nx));
    double* const m = scratch.moments.data();
    double* const at[4] = {m + first, m + nx + first, m + 2 * nx + first, m + 3 * nx + first};
    loops_.moments(slot, first, last, at);
    const int forced = forces_ ? forces_->slot(row) : -1;
    const double body[3] = {drive_.body.x, drive_.body.y, drive_.body.z};
    for (int c = 0; c < 3; ++c)
      for (int x = first; x < last; ++x) {
        const double force = body[c] + (forced < 0 ? 0 : forces_->column(forced, c)[x]);
        double& u = m[(1 + c) * nx + x];
        u = (u + 0.5 * force) / (1 + m[x]);
      }
    for (std::size_t k = 0; k < kind.links.size(); ++k) {
      const FaceLink& link = kind.links[k];
      if (link.kind != FaceKind::pressure) continue;
      const double scale = 2 * weight[link.direction] * terms_[place].links[k].density;
      const int c[3] = {cx[link.direction], cy[link.direction], cz[link.direction]};
      T* const shift = scratch.shift.data() + k * static_cast<std::size_t>(nx);
      for (int x = std::max(first, link.cell); x < std::min(last, link.cell + link.count); ++x) {
        double cu = 0, uu = 0;
        for (const int face : link.faces) {
          if (face < 0) continue;
          const double u = m[(1 + face / 2) * nx + x];
          cu += c[face / 2] * u, uu += u * u;
        }
        shift[x] = static_cast<T>(scale * (4.5 * cu * cu - 1.5 * uu));
      }
    }
  }

  void meet_faces(T* base, std::size_t place, std::size_t first, std::size_t last, Scratch& scratch,
                  FaceSums& sums) const {
    const RowKind& kind = layout_.kinds[odd_ ? 1 : 0][place];
    const auto nx = static_cast<std::size_t>(layout_.spec.cells[0]);
    for (std::size_t k = first; k < last; ++k) {
      const FaceLink& link = kind.links[k];
      const LinkTerm<T>& term = terms_[place].links[k];
      const T* const shifts = link.kind == FaceKind::pressure
                                  ? scratch.shift.data() + k * nx + static_cast<std::size_t>(link.cell)
                                  : nullptr;
      double sum[2];
      loops_.reflect(base + link.at, link.count, term.sign, term.shift, shifts, sum);
      double* const face = sums.face[link.faces[0]];
      face[0] += cx[link.back] * sum[1] - cx[link.direction] * sum[0];
      face[1] += cy[link.back] * sum[1] - cy[link.direction] * sum[0];
      face[2] += cz[link.back] * sum[1] - cz[link.direction] * sum[0];
    }
  }

  const LatticeLayout& layout_;
  T* populations_;
  bool odd_;
  const LatticeDrive& drive_;
  const RowField* forces_;
  const RowLoops<T>& loops_;
  Collision<T> collision_;
  std::array<KindTerms<T>, 16> terms_;  // [place of a row]
};

}  // namespace

LatticeLayout::LatticeLayout(const LatticeSpec& s) : spec(s) {
  constexpr std::ptrdiff_t line = 64;
  const std::ptrdiff_t size = spec.is_double ? 8 : 4, in_line = line / size;
  strides.row = (spec.cells[0] + 2 + in_line - 1) / in_line * in_line;
  // Nineteen columns are read and written side by side. Beginning five lines further on each, modulo a page, they do
  // not throw each other out of the first-level cache.
  std::ptrdiff_t lines = rows() * strides.row / in_line;
  while (lines % 64 != 5) ++lines;
  strides.column = lines * in_line;
  origin = in_line;
  bytes = static_cast<std::size_t>(origin + count * strides.column) * static_cast<std::size_t>(size);
  kinds = row_kinds(spec, strides);
}

template <class T>
void step_lattice(const LatticeLayout& layout, FluidState& s, const LatticeDrive& drive, const RowField* forces,
                  Team& team) {
  const StepRows<T> rows(layout, s, drive, forces);
  std::vector<FaceSums> sums(static_cast<std::size_t>((layout.rows() + rows_in_block - 1) / rows_in_block));
  for_row_blocks(layout, team, [&](int block, int first, int last) {
    typename StepRows<T>::Scratch scratch;
    FaceSums& sum = sums[static_cast<std::size_t>(block)];
    for (int row = first; row < last; ++row) rows.step_row(row, scratch, sum);
  });
  for (const FaceSums& sum : sums)
    for (std::size_t k = 0; k < 6; ++k) {
      Vec3<double>& face = s.impulse.faces[k / 2][k % 2];
      face = face + Vec3<double>{sum.face[k][0], sum.face[k][1], sum.face[k][2]};
    }
  s.impulse.body = s.impulse.body + static_cast<double>(layout.rows()) * layout.spec.cells[0] * drive.body;
  s.odd = !s.odd;
  ++s.steps;
}
template void step_lattice<float>(const LatticeLayout&, FluidState&, const LatticeDrive&, const RowField*, Team&);
template void step_lattice<double>(const LatticeLayout&, FluidState&, const LatticeDrive&, const RowField*, Team&);

}  // namespace ls
