#include "output/mode_files.h"

#include "math/rotation.h"
#include "output/files.h"
#include "output/vtk.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls {

namespace {
using Triple = Snapshot::Triple;

constexpr int phases = 16;  // of a period

Triple triple(double scale, const Vec3<double>& a) {
  return {scale * a.x, scale * a.y, scale * a.z};
}

double size_of(const std::vector<Triple>& x) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end(), [k](auto& a, auto& b) { return a[k] < b[k]; });
    sum += ((*high)[k] - (*low)[k]) * ((*high)[k] - (*low)[k]);
  }
  return std::sqrt(sum);
}

void write_motion(const std::filesystem::path& folder, const std::string& name, const Snapshot& state,
                  const Vibration& mode, double scale) {
  make_folder(folder / name);
  std::vector<PvdEntry> index;
  for (int k = 0; k < phases; ++k) {
    const double phase = static_cast<double>(k) / phases;  // periods; the real ones may be infinite
    Snapshot shot = moved_by(state, mode, scale * std::sin(2 * std::numbers::pi * phase));
    shot.time = phase;
    const std::string file = fmt::format("{}/{:02}.vtp", name, k);
    write_vtp(folder / file, shot);
    index.push_back({phase, file});
  }
  write_pvd(folder / (name + ".pvd"), index);
}
}  // namespace

double visible_scale(const Snapshot& state, const Vibration& mode) {
  double move = 0, turn = 0;
  for (const auto& a : mode.shape) move = std::max(move, norm(a.v)), turn = std::max(turn, norm(a.w));
  const double size = size_of(state.position);
  double scale = turn > 0 ? 1 / turn : 1;
  if (move > 0 && size > 0) scale = turn > 0 ? std::min(scale, 0.1 * size / move) : 0.1 * size / move;
  return scale;
}

Snapshot moved_by(const Snapshot& state, const Vibration& mode, double scale) {
  Snapshot s = state;
  s.strain.clear(), s.energy.clear(), s.force.clear(), s.torque.clear(), s.contact_force.clear();
  s.contact_gap.clear(), s.contacts.clear();
  for (std::size_t p = 0; p < s.skin.size(); ++p) {
    const auto node = static_cast<std::size_t>(s.skin_node[p]);
    const auto &x = state.position[node], &y = state.skin[p];
    const Vec3<double> from{x[0], x[1], x[2]}, offset = Vec3<double>{y[0], y[1], y[2]} - from;
    s.skin[p] = triple(1, from + scale * mode.shape[node].v + rotate(turn(scale * mode.shape[node].w), offset));
  }
  for (std::size_t i = 0; i < mode.shape.size(); ++i) {
    const auto &v = mode.shape[i].v, &w = mode.shape[i].w;
    const Triple by = triple(scale, v);
    for (int k = 0; k < 3; ++k) s.position[i][k] += by[k];
    const auto& o = state.orientation[i];
    const Quat<double> turned = turn(scale * w), q = turned * Quat<double>{o[0], {o[1], o[2], o[3]}};
    s.orientation[i] = {q.w, q.v.x, q.v.y, q.v.z};
    const auto& m = state.moment[i];
    s.moment[i] = triple(1, rotate(turned, Vec3<double>{m[0], m[1], m[2]}));
    s.velocity[i] = by;
    s.spin[i] = triple(scale, w);
  }
  return s;
}

std::string write_mode(const std::filesystem::path& folder, int number, Snapshot state, const Vibration& mode,
                       const std::string& name) {
  const double scale = visible_scale(state, mode);
  const std::string file = fmt::format("{}-{:03}", name, number);
  make_folder(folder / "modes");
  write_motion(folder / "modes", file, state, mode, scale);
  std::string table = fmt::format("# omega^2 = {:.17g} 1/s^2, frequency = {:.17g} Hz\nnode,x,y,z,dx,dy,dz,tx,ty,tz\n",
                                  mode.omega_squared, mode.frequency());
  for (std::size_t i = 0; i < mode.shape.size(); ++i) {
    state.velocity[i] = triple(scale, mode.shape[i].v);
    state.spin[i] = triple(scale, mode.shape[i].w);
    const auto &x = state.position[i], &v = state.velocity[i], &w = state.spin[i];
    table += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", i, x[0], x[1],
                         x[2], v[0], v[1], v[2], w[0], w[1], w[2]);
  }
  write_atomically(folder / "modes" / (file + ".csv"), table);
  write_vtp(folder / "modes" / (file + ".vtp"), state);
  return "modes/" + file + ".vtp";
}

}  // namespace ls
