#pragma once
#include "physics/joint_rows.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ls {

enum class JointKind : std::uint8_t {
  fixed,
  ball,
  hinge,
  slider,
  cylindrical,
  universal,
  planar,
  distance,
  spring,
  rope
};
inline constexpr std::array<const char*, 10> joint_kinds{"fixed",       "ball",      "hinge",  "slider",
                                                         "cylindrical", "universal", "planar", "distance",
                                                         "spring",      "rope"};  // [JointKind]
inline constexpr double unbounded = std::numeric_limits<double>::infinity();

struct JointEnd {
  int node = -1;   // -1: the world
  JointHalf half;  // of the world: in its axes
};

struct Joint {
  std::string name;
  JointKind kind = JointKind::ball;
  std::array<JointEnd, 2> end;
  double length = 0;                                           // m, of a distance; at rest, of a spring
  int reel = -1;                                               // of a rope: whose length it goes by
  bool one_sided = false;                                      // a string: it pulls only
  double stiffness = unbounded;                                // N/m, of what it lets move; of a spring
  double turn_stiffness = unbounded;                           // N m
  double damping = 0;                                          // N s/m, of a spring
  double low = -unbounded, high = unbounded;                   // m or rad, of its travel or angle from the start
  double friction = 0;                                         // N or N m, the most it takes
  double tolerance = 1e-6;                                     // m
  double turn_tolerance = 1e-6;                                // rad
  bool is_hinged() const { return kind == JointKind::hinge; }  // what it leaves free is an angle,
  bool is_sliding() const {                                    // or a way along its axis
    return kind == JointKind::slider || kind == JointKind::cylindrical;
  }
};

enum class MotorKind : std::uint8_t { position, velocity, torque };

// What drives the angle of a hinge, the travel of a slider, or the length of a rope. Its value at a time is in the
// Inputs.
struct Motor {
  std::string name;
  int joint = 0;
  MotorKind kind = MotorKind::torque;
  double most = unbounded;  // N m or N
};

// What a rope is wound up on: the rest lengths of all its bonds go along, each by the same share. How long it is,
// beside as it was drawn, is in the Memory, and at a time in the Inputs.
inline constexpr double least_reeled = 0.1;  // of its length as drawn: bonds must not be short beside their thickness
struct Reel {
  double drawn = 0;   // m, at rest
  double length = 0;  // m, that it starts with
  int motor = -1;     // -1: it stays so
};

// How long the rope of a reel is beside as it was drawn: as the schedule wants it, where it says so, or as it is now.
inline double reeled_share(int reel, const std::vector<double>& wanted, const std::vector<double>& now) {
  const auto& from = wanted.empty() ? now : wanted;
  return from.empty() ? 1.0 : from[static_cast<std::size_t>(reel)];
}

struct JointTable {
  std::vector<Joint> joints;
  std::vector<Motor> motors;
  std::vector<Reel> reels;
  bool empty() const { return joints.empty(); }
};

// What a row is for. All have a multiplier, the force or torque it takes to keep it: any where the joint is closed; no
// less than zero of a stop; of friction and motors within their bounds.
enum class RowUse : std::uint8_t { closed, low, high, friction, motor };
struct JointRowEntry {
  int joint = 0;
  JointRow row;
  RowUse use = RowUse::closed;
  int motor = -1;
  double least = -unbounded, most = unbounded;  // of the multiplier
  double stiffness = unbounded;                 // where it gives way
};
// In the order of the joints; springs have none.
std::vector<JointRowEntry> joint_rows(const JointTable& table);

// rad, of the second half about the axis, from the first; within a full turn either way.
double joint_angle(const Joint& joint, const Frame<double> (&node)[2]);

}  // namespace ls
