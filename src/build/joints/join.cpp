#include "build/joints/join.h"

#include "math/rotation.h"

#include <cmath>

namespace ls {

namespace {

// Axes with z along the axis of the joint and x along its second axis, as far as that is across.
Quat<double> axes_of(const JointSpec& spec) {
  const Vec3<double> z = normalized(spec.axis);
  const Vec3<double> any = std::abs(z.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  Vec3<double> x = spec.cross.value_or(any);
  x = normalized(x - dot(x, z) * z);
  return quaternion(Mat3<double>{x, cross(z, x), z});
}

}  // namespace

void join(const JointSpec& spec, Builder::Result& built) {
  Joint joint = spec.settings;
  joint.name = spec.name, joint.kind = spec.kind;
  const Quat<double> axes = axes_of(spec);
  const Vec3<double> place[2] = {spec.at, spec.other.value_or(spec.at)};
  for (int n = 0; n < 2; ++n) {
    JointEnd& end = joint.end[n];
    end.node = spec.node[n];
    end.half = {place[n], axes};
    if (end.node < 0) continue;
    const Frame<double> f = built.state.nodes.frame(end.node);
    end.half = {rotate(conj(f.q), place[n] - f.x), conj(f.q) * axes};
  }
  joint.length = spec.length.value_or(norm(place[1] - place[0]));
  built.model.joints.joints.push_back(std::move(joint));
}

}  // namespace ls
