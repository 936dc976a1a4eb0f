#pragma once
#include "output/checkpoint.h"

#include <string>
#include <type_traits>

namespace ls {

// What a checkpoint keeps, and under which name: the one list, for writing (C = const Checkpoint) and for reading
// (C = Checkpoint). Two lists that must agree would drift apart, and a field that only one of them has would be found
// by nobody before a run is resumed. The words that an archive knows are in checkpoint.cpp.

template <class Archive, class C>
void clock_fields(Archive& a, C& clock) {
  a.attribute("", "stage", clock.stage);
  a.attribute("", "step_in_stage", clock.step_in_stage);
  a.attribute("", "step", clock.step);
  a.attribute("", "time", clock.time);
  a.attribute("", "stage_start", clock.stage_start);
  a.attribute("", "share", clock.share);
}

// Padding is left out: it is the same in every run.
template <class Archive, class N>
void node_fields(Archive& a, N& nodes) {
  int count = nodes.count;
  a.attribute("", "nodes", count);
  if constexpr (!std::is_const_v<N>) nodes = Nodes(count);
  for (int k = 0; k < 3; ++k) {
    const std::string axis(1, "xyz"[k]);
    a.column("node/position_" + axis, nodes.x[k], count);
    a.column("node/velocity_" + axis, nodes.v[k], count);
    a.column("node/spin_" + axis, nodes.w[k], count);
    a.column("node/force_" + axis, nodes.f[k], count);
    a.column("node/torque_" + axis, nodes.t[k], count);
  }
  for (int k = 0; k < 4; ++k) a.column("node/orientation_" + std::string(1, "wxyz"[k]), nodes.q[k], count);
}

template <class Archive, class M>
void memory_fields(Archive& a, M& memory) {
  a.list("memory/broken", memory.broken);
  a.list("memory/angles", memory.angles);
  a.attribute("memory", "angle_step", memory.angle_step);
  a.list("memory/anchors", memory.anchors);
  a.list("memory/variables", memory.variables);
  a.list("memory/events", memory.events);
  a.list("memory/set_by_event", memory.set_by_event);
  a.attribute("memory", "stage_ended", memory.stage_ended);
  a.list("memory/field_anchors", memory.field_anchors);
  a.record("memory/ledger", memory.ledger);
  a.attribute("memory", "halvings", memory.halvings);
  a.attribute("memory", "negative_pivots", memory.negative_pivots);
  a.attribute("memory", "iterations", memory.iterations);
  a.record("memory/parts", memory.parts);
  a.list("memory/touching", memory.touching);
  a.list("memory/slip", memory.slip);
  a.list("memory/near_bodies", memory.near_bodies);
  a.list("memory/near_strength", memory.near_strength);
  a.list("memory/near_reach", memory.near_reach);
  a.attribute("memory", "near_step", memory.near_step);
  a.list("memory/stuck", memory.stuck);
  a.list("memory/stretch", memory.stretch);
  a.records("memory/friction", memory.friction);
  a.records("memory/marker_impulse", memory.marker_impulse);
  a.record("memory/drive_impulse", memory.drive_impulse);
  a.records("memory/inner_field", memory.inner_field);
  a.attribute("memory", "induction_iterations", memory.induction_iterations);
  a.list("memory/joint_force", memory.joint_force);
  a.list("memory/joint_past", memory.joint_past);
  a.list("memory/joint_shown", memory.joint_shown);
  a.list("memory/joint_angle", memory.joint_angle);
  a.list("memory/reels", memory.reels);
  a.list("memory/path", memory.path);
}

template <class Archive, class F>
void fluid_fields(Archive& a, F& fluid) {
  a.bytes("fluid/populations", fluid.populations);
  a.attribute("fluid", "odd", fluid.odd);
  a.attribute("fluid", "steps", fluid.steps);
  a.record("fluid/impulse", fluid.impulse);
  a.record("fluid/impulse_before", fluid.before);
  a.records("tracer/position", fluid.tracers.x);
  a.records("tracer/velocity", fluid.tracers.velocity);
  a.records("tracer/mark", fluid.tracers.mark);
  a.attribute("tracer", "moved", fluid.tracers.moved);
  a.attribute("tracer", "stride", fluid.tracers.stride);
}

template <class Archive, class C>
void fields(Archive& a, C& c) {
  a.attribute("", "scene", c.scene);
  a.texts("scene/sets", c.sets);
  a.used("scene/files", c.files);
  a.list("scene/spans", c.spans);
  a.attribute("", "isa", c.isa);
  a.attribute("", "finished", c.finished);
  a.attribute("", "first_energy", c.first_energy);
  clock_fields(a, c.state.clock);
  node_fields(a, c.state.nodes);
  memory_fields(a, c.state.memory);
  fluid_fields(a, c.state.fluid);
  a.attribute("fluid", "spacing", c.fluid_spacing);
  a.attribute("fluid", "dt", c.fluid_dt);
  a.lengths("files/lengths", c.lengths);
  a.used("files/appended", c.hashes);
  a.list("files/frame_times", c.frame_times);
  a.list("files/fluid_times", c.fluid_times);
  a.list("files/field_times", c.field_times);
  a.record("files/wall_seconds", c.wall_seconds);
  a.attribute("files", "modes", c.modes);
  a.list("files/near_samples", c.near_samples);
}

}  // namespace ls
