#pragma once
// Bodies that touch, made by hand: balls, planes, rods as strings of points.
#include "model/inputs.h"
#include "terms/make_terms.h"

namespace ls::test {

struct Touchables {
  Model model;
  State state;
  Shapes shapes;  // until finish() hands them to the model
  std::vector<Frame<double>> frame;
  std::vector<Twist<double>> twist;
  std::vector<double> mass;
  std::vector<Vec3<double>> inertia;

  int add_node(const Frame<double>& f, double m, const Vec3<double>& i, const Twist<double>& t = {}) {
    frame.push_back(f), twist.push_back(t), mass.push_back(m), inertia.push_back(i);
    shapes.is_wall.push_back(0);
    shapes.body_of.push_back(static_cast<int>(shapes.surfaces.size()));
    return static_cast<int>(frame.size()) - 1;
  }
  int add_ball(const Vec3<double>& x, const Vec3<double>& v, double radius, double m, const Surface& surface) {
    const double i = 0.4 * m * radius * radius;
    const int node = add_node({x, {}}, m, {i, i, i}, {v, {}});
    shapes.surfaces.push_back(surface);
    shapes.spheres.push_back(static_cast<int>(shapes.points.size()));
    shapes.points.push_back({node, {}, radius});
    return node;
  }
  int add_plane(const Vec3<double>& x, const Vec3<double>& normal, const Surface& surface) {
    const int node = add_node({x, {}}, 1e-30, {1e-30, 1e-30, 1e-30});
    shapes.surfaces.push_back(surface);
    shapes.is_wall.back() = 1;
    shapes.hollows.push_back({HollowKind::plane, node, {}, normal, 0});
    return node;
  }
  // Nodes in a row with capsules between them; returns the first node.
  int add_string(const std::vector<Vec3<double>>& x, double radius, const Surface& surface) {
    const int first = static_cast<int>(frame.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const int node = add_node({x[i], {}}, 1e-3, {1e-9, 1e-9, 1e-9});
      const int point = static_cast<int>(shapes.points.size());
      shapes.points.push_back({node, {}, radius});
      if (i == 0) continue;
      shapes.edges.push_back({point - 1, point});
      shapes.links.push_back({node - 1, node, norm(x[i] - x[i - 1])});
    }
    shapes.surfaces.push_back(surface);
    return first;
  }
  void finish() {
    Model& m = model;
    m.nodes = static_cast<int>(frame.size());
    state.nodes = Nodes(m.nodes);
    const auto size = static_cast<std::size_t>(padded(m.nodes));
    m.mass.assign(size, 0.0);
    for (auto& c : m.inertia) c.assign(size, 1.0);
    for (int i = 0; i < m.nodes; ++i) {
      const auto k = static_cast<std::size_t>(i);
      m.mass[i] = mass[k];
      m.inertia[0][i] = inertia[k].x, m.inertia[1][i] = inertia[k].y, m.inertia[2][i] = inertia[k].z;
      m.held.push_back(shapes.is_wall[k] ? hold_all : 0);
      state.nodes.set(i, frame[k]);
      state.nodes.set(i, twist[k]);
    }
    m.body_of = shapes.body_of;
    m.shapes = shapes;
  }
  Inputs inputs(double dt) const {
    Inputs in;
    in.dt = dt;
    in.contact = ContactLaw::hertz_mindlin;
    for (int i = 0; i < model.nodes; ++i)
      if (shapes.is_wall[i]) in.held.push_back({i, hold_all, state.nodes.frame(i), state.nodes.twist(i)});
    return in;
  }
};

}  // namespace ls::test
