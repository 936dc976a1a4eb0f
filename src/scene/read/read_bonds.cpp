#include "base/memory.h"
#include "scene/read/reader.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

// What the bonds of rods, shells and networks have in common.
namespace ls {

// The constants stand for stiffnesses by eqs. 19 of the V-model paper.
void GivenStiffness::apply(ElasticBond& b) const {
  if (b1) {
    b.kr = *b1;
    b.ks1 = b.ks2 = 2 * *b3 / (b.l * b.l);
    b.kb1 = b.kb2 = *b2 + 0.5 * *b3;
    b.kt = *b4;
  }
  if (stretch) b.kr = *stretch;
  if (shear) b.ks1 = b.ks2 = *shear;
  if (bend) b.kb1 = b.kb2 = *bend;
  if (twist) b.kt = *twist;
}

GivenStiffness read_stiffness(Table& body, const std::string& model) {
  GivenStiffness s;
  auto table = body.table("stiffness");
  if (!table) return s;
  const auto get = [&](const char* key, const Dimension& d) {
    return table->maybe_number(key, d, range::not_negative);
  };
  s.stretch = get("stretch", dim::stiffness);
  s.shear = get("shear", dim::stiffness);
  s.bend = get("bend", dim::torque);
  s.twist = get("twist", dim::torque);
  const bool modes = s.stretch || s.shear || s.bend || s.twist;
  if (table->has("b1") || table->has("b2") || table->has("b3") || table->has("b4")) {
    if (modes) table->fail("found stiffnesses of modes and constants b1 to b4, expected one or the other");
    if (model != "vector")
      table->fail(fmt::format("b1 to b4 belong to model = \"vector\", this body has \"{}\"", model));
    s.b1 = table->number("b1", dim::stiffness, range::not_negative);
    s.b2 = table->number("b2", dim::torque, range::any);
    s.b3 = table->number("b3", dim::torque, range::not_negative);
    s.b4 = table->number("b4", dim::torque, range::not_negative);
    if (*s.b2 + 0.5 * *s.b3 < 0) table->fail("b2 + b3/2 is the bending stiffness; expected 0 or more");
  } else if (!modes) {
    table->one_of({"stretch", "shear", "bend", "twist", "b1"});
  }
  table->finish();
  return s;
}

// What reading takes at its peak or a run takes, whichever is more; what Newton's method needs comes on top.
void check_room(const Value& where, double more_nodes, double more_bonds, const Draft& draft) {
  constexpr double node_bytes = 450, bond_bytes = 650, newton_bytes = 2500;
  double nodes = more_nodes, bonds = more_bonds;
  for (const Body& b : draft.builder.bodies()) {
    const auto its = static_cast<double>(b.nodes.size());
    nodes += its;
    if (!is_single(b)) bonds += b.kind == BodyKind::shell ? 3 * its : its;
  }
  double bytes = nodes * node_bytes + bonds * bond_bytes;
  if (draft.plan.solver.kind != SolverKind::explicit_dynamics) bytes += nodes * newton_bytes;
  const double there = memory_there();
  if (bytes > 0.9 * there)
    where.fail(
        fmt::format("with it there are {:.3g} nodes and {:.3g} bonds, which need some {:.3g} GB; there are {:.3g} GB",
                    nodes, bonds, 1e-9 * bytes, 1e-9 * there));
}

std::function<void(ElasticBond&)> adjusting(const GivenStiffness& stiffness) {
  return [stiffness](ElasticBond& b) {
    stiffness.apply(b);
    for (const double k : {b.kr, b.ks1, b.ks2, b.kb1, b.kb2, b.kt})
      if (!std::isfinite(k)) throw Error("a bond of this length has a stiffness that is no finite number");
  };
}

std::function<BondDamping::Params<double>(const ElasticBond&)> damping_of_bonds(const Draft& draft) {
  const Modes<BondViscosity> d = draft.bond_damping;
  if (d.stretch.value == 0 && d.shear.value == 0 && d.bend.value == 0 && d.twist.value == 0) return {};
  return [d](const ElasticBond& b) {
    return BondDamping::Params<double>{d.stretch.coefficient(b.kr),
                                       d.shear.coefficient(b.ks1),
                                       d.shear.coefficient(b.ks2),
                                       d.bend.coefficient(b.kb1),
                                       d.bend.coefficient(b.kb2),
                                       d.twist.coefficient(b.kt),
                                       b.l};
  };
}

bool has_paper_rate(const std::string& who, const std::string& model, const Draft& draft) {
  if (!draft.paper_rate || !damping_of_bonds(draft)) return false;
  if (model != "corotational")
    fail(*draft.paper_rate, fmt::format("found \"paper\", but {} has model = \"{}\"; expected \"analytic\", or "
                                        "\"corotational\" as the model of every body",
                                        who, model));
  return true;
}

Fracture read_fracture(Table& body) {
  Fracture f;
  auto table = body.table("fracture");
  if (!table) return f;
  f.stretch = table->number("stretch", dim::force, range::positive, 0);
  f.shear = table->number("shear", dim::force, range::positive, 0);
  f.bend = table->number("bend", dim::torque, range::positive, 0);
  f.twist = table->number("twist", dim::torque, range::positive, 0);
  if (!f.any()) table->one_of({"stretch", "shear", "bend", "twist"});
  table->finish();
  return f;
}

RandomMotion read_random_motion(Table& body, const Draft& draft) {
  RandomMotion r;
  r.seed = draft.plan.solver.seed;
  const auto value = body.find("random_velocity");
  if (!value) return r;
  if (!value->is_table()) {
    r.speed = value->number(dim::velocity, range::positive);
    return r;
  }
  Table table = *body.table("random_velocity");
  r.speed = table.number("speed", dim::velocity, range::not_negative, 0);
  if (const auto spin = table.find("spin")) r.spin = spin->angular_rate(range::not_negative);
  if (!table.has("speed")) table.one_of({"speed", "spin"});
  r.seed = static_cast<std::uint64_t>(
      table.integer("seed", 0, std::numeric_limits<long long>::max(), static_cast<long long>(r.seed)));
  if (const auto axes = table.find("axes")) {
    r.x = r.y = r.z = false;
    for (const Value& axis : axes->list_or_one()) {
      const std::string word = axis.choice({"x", "y", "z"});
      (word == "x" ? r.x : word == "y" ? r.y : r.z) = true;
    }
  }
  table.finish();
  return r;
}

}  // namespace ls
