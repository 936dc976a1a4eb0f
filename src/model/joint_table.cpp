#include "model/joint_table.h"

#include <cmath>

namespace ls {

namespace {

constexpr int x = 0, y = 1, z = 2;

std::vector<JointRow> closed_rows(JointKind kind) {
  const auto along = [](int i) { return JointRow{RowShape::along, i, 0}; };
  const auto across = [](int i, int j) { return JointRow{RowShape::across, i, j}; };
  switch (kind) {
    case JointKind::fixed:
      return {along(x), along(y), along(z), across(x, y), across(y, z), across(z, x)};
    case JointKind::ball:
    case JointKind::rope:
      return {along(x), along(y), along(z)};
    case JointKind::hinge:
      return {along(x), along(y), along(z), across(z, x), across(z, y)};
    case JointKind::slider:
      return {along(x), along(y), across(x, y), across(y, z), across(z, x)};
    case JointKind::cylindrical:
      return {along(x), along(y), across(z, x), across(z, y)};
    case JointKind::universal:
      return {along(x), along(y), along(z), across(z, x)};
    case JointKind::planar:
      return {along(z), across(z, x), across(z, y)};
    case JointKind::distance:
      return {{RowShape::distance, 0, 0}};
    case JointKind::spring:
      return {};
  }
  return {};
}

}  // namespace

std::vector<JointRowEntry> joint_rows(const JointTable& table) {
  std::vector<JointRowEntry> rows;
  for (std::size_t k = 0; k < table.joints.size(); ++k) {
    const Joint& joint = table.joints[k];
    const int number = static_cast<int>(k);
    for (const JointRow& row : closed_rows(joint.kind)) {
      JointRowEntry entry{number, row};
      if (joint.one_sided) entry.least = 0;
      entry.stiffness = row.shape == RowShape::across ? joint.turn_stiffness : joint.stiffness;
      rows.push_back(entry);
    }
    const JointRow free{joint.is_hinged() ? RowShape::angle : RowShape::along, z, 0};
    if (std::isfinite(joint.low)) rows.push_back({number, free, RowUse::low, -1, -unbounded, 0});
    if (std::isfinite(joint.high)) rows.push_back({number, free, RowUse::high, -1, 0, unbounded});
    if (joint.friction > 0) rows.push_back({number, free, RowUse::friction, -1, -joint.friction, joint.friction});
    for (std::size_t n = 0; n < table.motors.size(); ++n) {
      const Motor& motor = table.motors[n];
      if (motor.joint == number && joint.kind != JointKind::rope)
        rows.push_back({number, free, RowUse::motor, static_cast<int>(n), -motor.most, motor.most});
    }
  }
  return rows;
}

double joint_angle(const Joint& joint, const Frame<double> (&node)[2]) {
  const Quat<double> p = conj(node[0].q * joint.end[0].half.axes) * (node[1].q * joint.end[1].half.axes);
  return 2 * std::atan2(p.v.z, p.w);
}

}  // namespace ls
