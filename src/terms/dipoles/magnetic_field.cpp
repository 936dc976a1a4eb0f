#include "terms/dipoles/magnetic_field.h"

#include "model/soft_moments.h"
#include "physics/magnets.h"
#include "terms/dipoles/box_sum.h"
#include "terms/dipoles/dipole_term.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace ls {

namespace {

constexpr int places_at_once = 256;  // that fields are asked for together

// Where a place is within the box, so that those which are copies of each other are known as one.
using BoxPlace = std::array<long long, 3>;

BoxPlace in_first_copy(const PeriodicBox& box, const Vec3<double>& x) {
  constexpr double fine = 1e12;  // parts of a side
  const double at[3] = {x.x, x.y, x.z};
  BoxPlace found{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double share = at[k] / box.length[k];
    found[k] = std::llround(fine * (share - std::floor(share))) % static_cast<long long>(fine);
  }
  return found;
}

}  // namespace

MagneticField::MagneticField(const Model& model, const State& state, const Inputs& in) : model_(model), in_(in) {
  const auto add = [&](int node, const Vec3<double>& position, const Vec3<double>& moment) {
    const Frame<double> pose = state.nodes.frame(node);
    place_.push_back(pose.x + rotate(pose.q, position));
    moment_.push_back(rotate(pose.q, moment));
    node_.push_back(node);
  };
  for (const Dipole& d : all_dipoles(model)) add(d.node, d.position, moment_factor(in, d.node) * d.moment);
  const auto& cells = model.soft.cells;
  for (std::size_t i = 0; i < cells.size() && state.memory.inner_field.size() == cells.size(); ++i)
    add(cells[i].node, cells[i].position, moment_of(cells[i], state.memory.inner_field[i]));
}

bool MagneticField::is_periodic() const {
  return model_.dipoles.interact && model_.dipoles.method == DipoleMethod::ewald;
}

Vec3<double> MagneticField::of_dipoles(const Vec3<double>& x) const {
  Vec3<double> sum{};
  for (std::size_t i = 0; i < place_.size(); ++i) sum += mu0 * dipole_field(moment_[i], x - place_[i]);
  return sum;
}

std::vector<Vec3<double>> MagneticField::at(std::span<const Vec3<double>> places, Team& team) const {
  const int count = static_cast<int>(places.size());
  std::vector<Vec3<double>> found = is_periodic() ? in_box(places, team) : std::vector<Vec3<double>>(places.size());
  team.run((count + places_at_once - 1) / places_at_once, 2, [&](int first, int last) {
    std::vector<FieldSample> outer;
    for (int from = first * places_at_once; from < std::min(count, last * places_at_once); from += places_at_once) {
      const int some = std::min(places_at_once, count - from);
      outer.assign(static_cast<std::size_t>(some), {});
      for (const auto& field : in_.fields) field->add(&places[from], some, 0, outer.data());
      for (int i = 0; i < some; ++i) {
        const Vec3<double> inner = is_periodic() ? found[from + i] : of_dipoles(places[from + i]);
        found[from + i] = in_.load_factor * (outer[i].b + inner);
      }
    }
  });
  return found;
}

Vec3<double> MagneticField::at(const Vec3<double>& place) const {
  Team alone;
  return at(std::span(&place, 1), alone)[0];
}

// A dipole without a moment feels and disturbs nothing: its field is that of the place. Two of them in one place would
// have no number.
std::vector<Vec3<double>> MagneticField::in_box(std::span<const Vec3<double>> places, Team& team) const {
  const PeriodicBox box = periodic_box(model_.dipoles);
  std::array<Column, 3> x, m;
  const auto put = [&](const Vec3<double>& place, const Vec3<double>& moment) {
    x[0].push_back(place.x), x[1].push_back(place.y), x[2].push_back(place.z);
    m[0].push_back(moment.x), m[1].push_back(moment.y), m[2].push_back(moment.z);
  };
  std::set<BoxPlace> taken;
  for (std::size_t i = 0; i < place_.size(); ++i) {
    put(place_[i], moment_[i]);
    if (norm(moment_[i]) > 0) taken.insert(in_first_copy(box, place_[i]));
  }
  std::map<BoxPlace, std::size_t> known;
  std::vector<std::size_t> index;  // [place] among the columns
  for (const Vec3<double>& place : places) {
    const auto [entry, is_new] = known.try_emplace(in_first_copy(box, place), x[0].size());
    if (is_new) put(place, {});
    index.push_back(entry->second);
  }
  const DipoleSet set{static_cast<int>(x[0].size()),
                      {x[0].data(), x[1].data(), x[2].data()},
                      {m[0].data(), m[1].data(), m[2].data()},
                      {}};
  DipoleFields sum;
  BoxSum(box, model_.dipoles.accuracy).compute(set, team, sum);
  std::vector<Vec3<double>> found;
  found.reserve(index.size());
  for (const std::size_t i : index) found.push_back({sum.field[0][i], sum.field[1][i], sum.field[2][i]});
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < places.size(); ++k)
    if (taken.contains(in_first_copy(box, places[k]))) found[k] = {none, none, none};
  return found;
}

}  // namespace ls
