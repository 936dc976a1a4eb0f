#include "view/frame_blobs.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ls {

namespace {

constexpr ViewColour colours[] = {{"energy", "J/m"}, {"curvature", "1/m"},   {"twist", "rad/m"}, {"stretch", "1"},
                                  {"speed", "m/s"},  {"contact_force", "N"}, {"body", ""}};

using Numbers = std::vector<double>;
using Ints = std::vector<std::int32_t>;

template <class T>
std::vector<T> read_or_nothing(const Hdf5File& f, const std::string& name) {
  return f.has(name) ? f.read<T>(name) : std::vector<T>();
}

// A column of nodes or bonds; where a damaged file has another number of them: Error.
Numbers column(const Hdf5File& f, const std::string& name, std::size_t entries, std::size_t width = 1) {
  Numbers values = f.read<double>(name);
  if (values.size() != entries * width) throw Error(name + ": damaged: has another length than the rest", Fault::io);
  return values;
}

Ints bonds_of(const Hdf5File& f, std::size_t nodes) {
  Ints ends = f.read<std::int32_t>("bond/nodes");
  const auto is_bad = [&](std::int32_t n) { return n < 0 || static_cast<std::size_t>(n) >= nodes; };
  if (std::ranges::any_of(ends, is_bad)) throw Error("bond/nodes: damaged: there is no such node", Fault::io);
  return ends;
}

double length3(const double* v) {
  return std::hypot(v[0], v[1], v[2]);
}

double distance(const Numbers& x, std::size_t a, std::size_t b) {
  const double d[3] = {x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]};
  return length3(d);
}

// Which of its own axes lies most across the bonds of a node's body: by that one twist is painted.
std::vector<std::uint8_t> painted_axes(const Hdf5File& f, const Numbers& x, const Ints& ends, const Ints& body) {
  const Numbers q = column(f, "node/orientation", x.size() / 3, 4);
  const auto bodies = static_cast<std::size_t>(body.empty() ? 0 : std::max(0, *std::ranges::max_element(body)) + 1);
  std::vector<std::array<double, 2>> along(bodies);  // of the axes x and y; z is that of straight rods
  for (std::size_t k = 0; k + 1 < ends.size(); k += 2) {
    const auto a = static_cast<std::size_t>(ends[k]), b = static_cast<std::size_t>(ends[k + 1]);
    const double length = distance(x, a, b), *p = &q[4 * a];
    if (!(length > 0) || body[a] < 0) continue;
    const double w = p[0], i = p[1], j = p[2], l = p[3];
    const double axes[2][3] = {{1 - 2 * (j * j + l * l), 2 * (i * j + w * l), 2 * (i * l - w * j)},
                               {2 * (i * j - w * l), 1 - 2 * (i * i + l * l), 2 * (j * l + w * i)}};
    for (std::size_t c = 0; c < 2; ++c) {
      double dot = 0;
      for (std::size_t d = 0; d < 3; ++d) dot += axes[c][d] * (x[3 * b + d] - x[3 * a + d]) / length;
      along[static_cast<std::size_t>(body[a])][c] += std::abs(dot);
    }
  }
  std::vector<std::uint8_t> axis;
  for (const std::int32_t b : body) {
    const auto& of = along[static_cast<std::size_t>(std::max(b, 0))];
    axis.push_back(of[0] <= of[1] + 1e-9 ? 0 : 1);
  }
  return axis;
}

// A value of each node by those of its bonds: their mean.
std::vector<float> mean_of_bonds(const Hdf5File& f, const Numbers& x, const Ints& ends, const std::string& colour) {
  const std::size_t nodes = x.size() / 3, bonds = ends.size() / 2;
  Numbers value(bonds);
  if (colour == "energy") {
    for (const char* part : {"stretch", "shear", "bend", "twist"}) {
      const Numbers e = column(f, std::string("bond/energy_") + part, bonds);
      for (std::size_t k = 0; k < bonds; ++k) value[k] += e[k];
    }
  } else {
    value = column(f, colour == "curvature" ? "bond/strain_bend" : "bond/strain_" + colour, bonds);
  }
  Numbers sum(nodes);
  std::vector<int> count(nodes);
  for (std::size_t k = 0; k < bonds; ++k) {
    const auto a = static_cast<std::size_t>(ends[2 * k]), b = static_cast<std::size_t>(ends[2 * k + 1]);
    const double v = colour == "stretch" ? value[k] : value[k] / distance(x, a, b);
    if (!std::isfinite(v)) continue;
    for (const std::size_t n : {a, b}) sum[n] += v, ++count[n];
  }
  std::vector<float> out(nodes, no_view_value);
  for (std::size_t n = 0; n < nodes; ++n)
    if (count[n] > 0) out[n] = static_cast<float>(sum[n] / count[n]);
  return out;
}

std::vector<float> values_of(const Hdf5File& f, const Numbers& x, const std::string& colour) {
  const std::size_t nodes = x.size() / 3;
  if (std::ranges::none_of(colours, [&](const ViewColour& c) { return c.name == colour; }))
    throw Error(fmt::format("there is no colour {}", colour));
  if (colour == "body") return std::vector<float>(nodes, no_view_value);
  if (colour != "speed" && colour != "contact_force") return mean_of_bonds(f, x, bonds_of(f, nodes), colour);
  const Numbers v = column(f, colour == "speed" ? "node/velocity" : "node/contact_force", nodes, 3);
  std::vector<float> out(nodes);
  for (std::size_t n = 0; n < nodes; ++n) out[n] = static_cast<float>(length3(&v[3 * n]));
  return out;
}

void add_box(const std::vector<float>& values, const Numbers& x, const Ints& walls, const ViewOrigin& origin,
             nlohmann::json& head) {
  constexpr double none = std::numeric_limits<double>::infinity();
  double low[3] = {none, none, none}, high[3] = {-none, -none, -none}, least = none, most = -none;
  std::size_t wall = 0;
  for (std::size_t n = 0; 3 * n < x.size(); ++n) {
    if (values[n] != no_view_value)
      least = std::min<double>(least, values[n]), most = std::max<double>(most, values[n]);
    if (wall < walls.size() && static_cast<std::size_t>(walls[wall]) == n) {
      ++wall;
      continue;
    }
    for (std::size_t c = 0; c < 3; ++c)
      if (std::isfinite(x[3 * n + c])) {
        low[c] = std::min(low[c], x[3 * n + c] - origin[c]);
        high[c] = std::max(high[c], x[3 * n + c] - origin[c]);
      }
  }
  if (least <= most) head["range"] = {least, most};
  if (low[0] <= high[0]) head["box"] = {low[0], low[1], low[2], high[0], high[1], high[2]};
}

std::vector<float> from_origin(const Numbers& x, const ViewOrigin& origin) {
  std::vector<float> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = static_cast<float>(x[i] - origin[i % 3]);
  return out;
}

// What never moves and was given no mass; the reader of scenes writes 1e-30 kg for that, and no atom weighs so little.
std::vector<std::uint8_t> weightless(const Hdf5File& f, std::size_t nodes) {
  std::vector<std::uint8_t> out;
  for (const double mass : column(f, "node/mass", nodes)) out.push_back(mass < 1e-28 ? 1 : 0);
  return out;
}

std::vector<float> floats(const Numbers& x) {
  return {x.begin(), x.end()};
}

// At most so many magnetic moments, evenly taken out of all: where, and how large.
void add_moments(const Hdf5File& f, const Numbers& x, const ViewOrigin& origin, Blob& blob) {
  const Numbers m = column(f, "node/moment", x.size() / 3, 3);
  std::vector<std::size_t> magnetic;
  for (std::size_t n = 0; 3 * n < m.size(); ++n)
    if (length3(&m[3 * n]) > 0) magnetic.push_back(n);
  std::vector<float> arrows;
  const std::size_t every = magnetic.size() / most_view_arrows + 1;
  for (std::size_t k = 0; k < magnetic.size(); k += every) {
    const std::size_t n = magnetic[k];
    for (std::size_t c = 0; c < 3; ++c) arrows.push_back(static_cast<float>(x[3 * n + c] - origin[c]));
    for (std::size_t c = 0; c < 3; ++c) arrows.push_back(static_cast<float>(m[3 * n + c]));
  }
  blob.add("moments", arrows);
}

}  // namespace

std::span<const ViewColour> view_colours() {
  return colours;
}

ViewOrigin view_origin(const Hdf5File& f) {
  const Numbers x = f.read<double>("node/position");
  const Ints walls = read_or_nothing<std::int32_t>(f, "surface/walls");
  nlohmann::json head;
  add_box(std::vector<float>(x.size() / 3), x, walls, {}, head);
  if (!head.contains("box")) return {};
  const auto box = head["box"].get<std::array<double, 6>>();
  return {0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5])};
}

Blob model_blob(const Hdf5File& f) {
  const Numbers x = f.read<double>("node/position");
  const std::size_t nodes = x.size() / 3;
  const Ints ends = bonds_of(f, nodes), body = f.read<std::int32_t>("node/body");
  if (body.size() != nodes) throw Error("node/body: damaged: has another length than the rest", Fault::io);
  std::vector<float> radius = floats(column(f, "node/radius", nodes));
  Blob blob({{"nodes", nodes}, {"bonds", ends.size() / 2}, {"row", view_row}});
  std::string names = f.string_attribute("", "bodies");
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find('\n', at), names.size());
    blob.head()["bodies"].push_back(names.substr(at, end - at));
    at = end + 1;
  }
  radius.resize((nodes + view_row - 1) / view_row * view_row);
  blob.add("radius", radius);
  blob.add("body", body);
  blob.add("bond", ends);
  blob.add("axis", painted_axes(f, x, ends, body));
  blob.add("fixed", weightless(f, nodes));
  for (const char* name : {"node", "triangles", "lines", "walls", "balls"})
    blob.add(std::string("surface_") + name, read_or_nothing<std::int32_t>(f, std::string("surface/") + name));
  return blob;
}

Blob frame_blob(const Hdf5File& f, const ViewOrigin& origin, const std::string& colour) {
  const Numbers x = f.read<double>("node/position");
  const std::size_t nodes = x.size() / 3, padded = (nodes + view_row - 1) / view_row * view_row;
  const std::vector<float> value = values_of(f, x, colour);
  Blob blob({{"time", f.double_attribute("", "time")},
             {"step", f.int_attribute("", "step")},
             {"stage", f.string_attribute("", "stage")},
             {"colour", colour},
             {"origin", origin}});
  add_box(value, x, read_or_nothing<std::int32_t>(f, "surface/walls"), origin, blob.head());
  std::vector<float> place(4 * padded);
  for (std::size_t n = 0; n < nodes; ++n) {
    for (std::size_t c = 0; c < 3; ++c) place[4 * n + c] = static_cast<float>(x[3 * n + c] - origin[c]);
    place[4 * n + 3] = value[n];
  }
  blob.add("place", place);
  std::vector<float> turn = floats(column(f, "node/orientation", nodes, 4));
  turn.resize(4 * padded);
  blob.add("turn", turn);
  const auto broken = f.read<std::uint8_t>("bond/broken");
  if (std::ranges::any_of(broken, [](std::uint8_t b) { return b != 0; })) blob.add("broken", broken);
  blob.add("surface", from_origin(read_or_nothing<double>(f, "surface/position"), origin));
  add_moments(f, x, origin, blob);
  blob.add("magnet_lines", from_origin(read_or_nothing<double>(f, "magnet/lines"), origin));
  blob.add("magnet_centre", from_origin(read_or_nothing<double>(f, "magnet/centre"), origin));
  blob.add("magnet_north", floats(read_or_nothing<double>(f, "magnet/north")));
  blob.add("tracer", from_origin(read_or_nothing<double>(f, "tracer/position"), origin));
  return blob;
}

nlohmann::json node_values(const Hdf5File& f, std::size_t node) {
  const std::size_t nodes = f.shape("node/position")[0];
  if (node >= nodes) throw Error(fmt::format("there is no node {}: there are {}", node, nodes));
  nlohmann::json all = nlohmann::json::object();
  for (const std::string& name : f.names("node")) {
    const std::string full = "node/" + name;
    if (name == "index" || !f.has_attribute(full, "unit")) continue;
    nlohmann::json value;
    if (name == "body")
      value = f.read<std::int32_t>(full, {.first = node})[0];
    else
      value = f.read<double>(full, {.first = node});
    all[name] = {{"value", value}, {"unit", f.string_attribute(full, "unit")}};
  }
  return all;
}

std::array<double, 7> node_row(const Hdf5File& f, std::size_t node) {
  const auto vector = [&](const char* name) { return f.read<double>(std::string("node/") + name, {.first = node}); };
  const Numbers x = vector("position");
  const auto size = [&](const char* name) { return length3(vector(name).data()); };
  return {x[0], x[1], x[2], size("velocity"), size("force"), size("contact_force"), size("spin")};
}

}  // namespace ls
