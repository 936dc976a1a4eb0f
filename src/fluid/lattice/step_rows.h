#pragma once
#include "fluid/lattice/lattice_step.h"
#include "fluid/lattice/row_loops.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ls {

// What a link does to its values in this step: value -> sign value + shift.
template <class T>
struct LinkTerm {
  std::ptrdiff_t from = 0, at = 0;  // as in the link
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
inline void add_velocity(double (&u)[3], const Vec3<double>& wall) {
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
  using namespace d3q19;
  const int i = link.direction;
  LinkTerm<T> term{link.from, link.at};
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

// Splits a weight into 24 small ones and a rest, rounded so that they make it up exactly: a mass that is off by some
// 1e-8 a step, always the same way, would add up.
template <class T>
void split(T whole, T& far, T& rest) {
  const double grid = std::ldexp(1.0, std::ilogb(whole) - std::numeric_limits<T>::digits - 2);
  far = static_cast<T>(std::nearbyint(whole / 36. / grid) * grid);
  rest = whole - 24 * far;
}

template <class T>
Collision<T> collision(const LatticeSpec& spec, const LatticeDrive& drive) {
  constexpr double magic = 3. / 16;  // (1/even - 1/2)(1/odd - 1/2): walls lie half-way whatever the viscosity
  const double even = 1 / (0.5 + 3 * spec.viscosity);
  const double odd = spec.trt ? 1 / (0.5 + magic / (3 * spec.viscosity)) : even;
  Collision<T> c{};
  c.body[0] = static_cast<T>(drive.body.x), c.body[1] = static_cast<T>(drive.body.y);
  c.body[2] = static_cast<T>(drive.body.z);
  c.even = static_cast<T>(even), c.half_even = c.even / 2, c.half_odd = static_cast<T>(odd / 2);
  c.square = c.even / 8, c.force_square = static_cast<T>((1 - even / 2) / 4);
  split(c.even, c.far_energy, c.rest_energy);
  split(static_cast<T>(3 * (1 - even / 2)), c.far_force_energy, c.rest_force_energy);
  c.linear = static_cast<T>(odd / 12), c.force_linear = static_cast<T>((1 - odd / 2) / 12);
  return c;
}

struct FaceSums {
  double face[6][3] = {};  // [2 axis + side]
};

// The rows of a lattice in one step, each on its own: threads may have any of them, in any order.
// odd: where the populations are before it.
template <class T>
class StepRows {
 public:
  StepRows(const LatticeLayout& layout, FluidState& s, bool odd, const LatticeDrive& drive, const RowField* forces)
      : layout_(layout),
        populations_(reinterpret_cast<T*>(s.populations.data())),
        odd_(odd),
        drive_(drive),
        forces_(forces),
        loops_(row_loops<T>()),
        collision_(collision<T>(layout.spec, drive)) {
    for (std::size_t k = 0; k < terms_.size(); ++k)
      if (layout.is_used[k]) add_terms(terms_[k], layout.kinds[odd_ ? 1 : 0][k]);
  }

  struct Room {
    std::vector<T> shift;               // [link][cell] of pressure faces
    std::vector<T> force;               // [3][cell] on a row
    std::vector<double> moments;        // [4][cell]
    std::vector<double> before, after;  // [link] what left and what came back, of rows at the same place
  };

  void step_rows(int first, int last, Room& room, FaceSums& sums) const {
    int place = -1;
    for (int row = first, end = first; row < last; row = end) {
      const int next = layout_.row_place(row);
      if (next != place) {
        if (place >= 0) add_sums(static_cast<std::size_t>(place), room, sums);
        const std::size_t links = kinds()[next].links.size();
        room.before.assign(links, 0), room.after.assign(links, 0);
        place = next;
      }
      end = row + 1;
      if (is_plain(row, place))
        while (end < last && layout_.row_place(end) == place && is_plain(end, place)) ++end;
      step_alike(row, end, static_cast<std::size_t>(place), room);
    }
    add_sums(static_cast<std::size_t>(place), room, sums);
  }

 private:
  const std::array<RowKind, 16>& kinds() const { return layout_.kinds[odd_ ? 1 : 0]; }

  // Rows that nothing needs to know about before they collide: all that lie side by side are done in one call.
  bool is_plain(int row, int place) const {
    const KindTerms<T>& terms = terms_[place];
    return !terms.has_pressure_row && !terms.has_pressure_end && !(forces_ && forces_->slot(row) >= 0);
  }

  // Rows first..last-1, which lie alike between the faces. More than one: all of them plain.
  void step_alike(int first, int last, std::size_t place, Room& room) const {
    const RowKind& kind = kinds()[place];
    T* const begin = populations_ + layout_.row_start(first);
    T* const end = populations_ + layout_.row_start(last);
    const std::ptrdiff_t apart = layout_.strides.row;
    T* slot[d3q19::count];
    for (int i = 0; i < d3q19::count; ++i) slot[i] = begin + kind.slot[i];
    if (odd_)
      for (T* base = begin; base != end; base += apart)
        for (const EndCell& e : kind.ends) base[e.pad] = base[e.place];
    look_at_pressure(slot, first, place, room);
    if (const int forced = forces_ ? forces_->slot(first) : -1; forced >= 0) {
      const RowForce<T> force = columns_of(forced, room);
      loops_.collide(slot, {layout_.spec.cells[0], 1, apart, layout_.streams}, collision_, &force);
    } else {
      loops_.collide(slot, {layout_.spec.cells[0], last - first, apart, layout_.streams}, collision_, nullptr);
    }
    for (T* base = begin; base != end; base += apart) meet_faces(base, kind, terms_[place], room);
  }

  void meet_faces(T* base, const RowKind& kind, const KindTerms<T>& terms, Room& room) const {
    if (kind.long_links > 0) meet_sides(base, kind, terms, room);
    if (!kind.is_ring)
      meet_ends(base, kind, terms, room);
    else if (odd_)
      for (const EndCell& e : kind.ends) base[e.place] = base[e.pad];
  }

  // The forces on a row, component by component, with zeros around them as far as registers reach.
  RowForce<T> columns_of(int slot, Room& room) const {
    const int nx = layout_.spec.cells[0], first = forces_->first(slot), last = forces_->last(slot);
    const int before = std::max(0, first - loops_.width), after = std::min(nx, last + loops_.width);
    room.force.resize(3 * static_cast<std::size_t>(nx));
    RowForce<T> out{{}, first, last};
    for (int c = 0; c < 3; ++c) {
      T* const column = room.force.data() + c * nx;
      out.column[c] = column;
      std::fill(column + before, column + first, T(0));
      std::fill(column + last, column + after, T(0));
    }
    const T* const cells = forces_->numbers<T>() + 4 * forces_->index(slot, first);
    T *const fx = room.force.data() + first, *const fy = fx + nx, *const fz = fy + nx;
    for (int x = 0; x < last - first; ++x) {
      fx[x] = cells[4 * x], fy[x] = cells[4 * x + 1], fz[x] = cells[4 * x + 2];
    }
    return out;
  }

  void add_terms(KindTerms<T>& terms, const RowKind& kind) {
    for (const FaceLink& link : kind.links) {
      const bool is_long = terms.links.size() < kind.long_links;
      terms.links.push_back(link_term<T>(layout_.spec, link, drive_));
      if (link.kind == FaceKind::pressure) (is_long ? terms.has_pressure_row : terms.has_pressure_end) = true;
    }
  }

  // The shifts of pressure faces go by the velocities before the collision.
  void look_at_pressure(T* const* slot, int row, std::size_t place, Room& room) const {
    const int nx = layout_.spec.cells[0];
    if (terms_[place].has_pressure_row) {
      look_at_cells(slot, row, place, 0, nx, room);
    } else if (terms_[place].has_pressure_end) {
      look_at_cells(slot, row, place, 0, 1, room);
      look_at_cells(slot, row, place, nx - 1, nx, room);
    }
  }
  void look_at_cells(T* const* slot, int row, std::size_t place, int first, int last, Room& room) const {
    using namespace d3q19;
    const RowKind& kind = kinds()[place];
    const int nx = layout_.spec.cells[0];
    room.moments.resize(4 * static_cast<std::size_t>(nx));
    room.shift.resize(kind.links.size() * static_cast<std::size_t>(nx));
    double* const m = room.moments.data();
    double* const at[4] = {m + first, m + nx + first, m + 2 * nx + first, m + 3 * nx + first};
    loops_.moments(slot, first, last, at);
    const int forced = forces_ ? forces_->slot(row) : -1;
    const double body[3] = {drive_.body.x, drive_.body.y, drive_.body.z};
    for (int c = 0; c < 3; ++c)
      for (int x = first; x < last; ++x) {
        const double force = body[c] + (forced < 0 ? 0 : forces_->value(forced, x, c));
        double& u = m[(1 + c) * nx + x];
        u = (u + 0.5 * force) / (1 + m[x]);
      }
    for (std::size_t k = 0; k < kind.links.size(); ++k) {
      const FaceLink& link = kind.links[k];
      if (link.kind != FaceKind::pressure) continue;
      const double scale = 2 * weight[link.direction] * terms_[place].links[k].density;
      const int c[3] = {cx[link.direction], cy[link.direction], cz[link.direction]};
      T* const shift = room.shift.data() + k * static_cast<std::size_t>(nx);
      for (int x = std::max(first, link.cell); x < std::min(last, link.cell + link.count); ++x) {
        double cu = 0, uu = 0;
        for (const int face : link.faces) {
          if (face < 0) continue;
          const int axis = face / 2;
          const double u = m[(1 + axis) * nx + x];
          cu += c[axis] * u, uu += u * u;
        }
        shift[x] = static_cast<T>(scale * (4.5 * cu * cu - 1.5 * uu));
      }
    }
  }

  void meet_sides(T* base, const RowKind& kind, const KindTerms<T>& terms, Room& room) const {
    for (std::size_t k = 0; k < kind.long_links; ++k) {
      const FaceLink& link = kind.links[k];
      const LinkTerm<T>& term = terms.links[k];
      const T* const shifts = term.density > 0 ? shifts_of(link, k, room) : nullptr;
      double sum[2];
      loops_.reflect(base + link.at, link.count, term.sign, term.shift, shifts, sum);
      room.before[k] += sum[0], room.after[k] += sum[1];
    }
  }

  void meet_ends(T* base, const RowKind& kind, const KindTerms<T>& terms, Room& room) const {
    for (std::size_t k = kind.long_links; k < kind.links.size(); ++k) {
      const LinkTerm<T>& term = terms.links[k];
      const T old = base[term.from];
      T now = term.sign * old + term.shift;
      if (term.density > 0) now += *shifts_of(kind.links[k], k, room);
      base[term.at] = now;
      room.before[k] += static_cast<double>(old), room.after[k] += static_cast<double>(now);
    }
  }

  const T* shifts_of(const FaceLink& link, std::size_t k, const Room& room) const {
    return room.shift.data() + k * static_cast<std::size_t>(layout_.spec.cells[0]) +
           static_cast<std::size_t>(link.cell);
  }

  void add_sums(std::size_t place, const Room& room, FaceSums& sums) const {
    using namespace d3q19;
    const std::vector<FaceLink>& links = kinds()[place].links;
    for (std::size_t k = 0; k < links.size(); ++k) {
      const int i = links[k].direction, j = links[k].back;
      double* const face = sums.face[links[k].faces[0]];
      face[0] += cx[j] * room.after[k] - cx[i] * room.before[k];
      face[1] += cy[j] * room.after[k] - cy[i] * room.before[k];
      face[2] += cz[j] * room.after[k] - cz[i] * room.before[k];
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

// sums: [block of rows] what its faces gave, of the step that ends.
inline void end_lattice_step(const LatticeLayout& layout, const LatticeDrive& drive, const std::vector<FaceSums>& sums,
                             FluidState& s) {
  for (const FaceSums& sum : sums)
    for (std::size_t k = 0; k < 6; ++k) {
      Vec3<double>& face = s.impulse.faces[k / 2][k % 2];
      face = face + Vec3<double>{sum.face[k][0], sum.face[k][1], sum.face[k][2]};
    }
  s.impulse.body = s.impulse.body + static_cast<double>(layout.rows()) * layout.spec.cells[0] * drive.body;
  s.odd = !s.odd;
  ++s.steps;
}

}  // namespace ls
