#pragma once
#include "model/inputs.h"

namespace ls {

// A joint as a step sees it. Where a node goes by the midpoint rule its state is that of the middle: the joint is
// closed at the end of the step, and pulls by the mean of the vectors at its start and its end, so that its work is
// the change of its rows.
struct JointView {
  Frame<double> start[2], end[2];  // of its nodes
  int gain[2] = {1, 1};            // how far the end goes for a move of the state
  Quat<double> half[2];            // of those that go by the midpoint rule: the turn from the start to the state
  JointPlaces<double> at_start, at_end, mean;
  bool steps = false;  // the start is known

  // Vectors change by Cayley's vector 2 tan(angle/2) of a step's turn, angles by the angle. Torques do work over one or
  // the other, as the node goes: where it is not the one that counts, they are this much more along the turn.
  Vec3<double> turn_axis[2]{};
  double excess[2] = {0, 0}, angle_excess[2] = {0, 0};
  Vec3<double> torque(int n, const Vec3<double>& t, bool of_angle) const {
    return t + ((of_angle ? angle_excess[n] : excess[n]) * dot(t, turn_axis[n])) * turn_axis[n];
  }
  double duration = 0;  // s
};

// bonded: [node] turns by Cayley's map.
JointView view_of(const Joint& joint, const State& s, const Inputs& in, const std::vector<std::uint8_t>& bonded);

// What a view goes by. A solver asks for that of one state several times over: of its residual, its matrix, its errors.
struct ViewKey {
  Frame<double> now[2], start[2];
  double a[2] = {1, 1}, dt = 0;
  bool steps = false;
  bool operator==(const ViewKey& other) const;
};
ViewKey view_key(const Joint& joint, const State& s, const Inputs& in);

// Of hinges: the turn nearest to one that is known.
double nearest_angle(double angle, double known);

// What a spring stores, and how it pulls on the half of its second node; minus that on the first.
double spring_energy(const Joint& joint, double length);
struct SpringPull {
  Vec3<double> direction{};  // from the first half to the second
  double force = 0;          // N, along it: above zero it pulls
  double length = 0;         // m
  double stiffness = 0;      // N/m
};
SpringPull spring_pull(const Joint& joint, const JointView& view, const State& s);

}  // namespace ls
