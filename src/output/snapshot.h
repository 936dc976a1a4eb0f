#pragma once
#include <array>
#include <string>
#include <vector>

namespace ls {

// What a viewer needs of one moment: plain arrays, SI units, world axes. Every writer of results starts from this.
struct Snapshot {
  using Triple = std::array<double, 3>;

  long long step = 0;
  double time = 0;    // [s]
  std::string stage;  // name of the running stage

  std::vector<Triple> position;                    // [node] m
  std::vector<std::array<double, 4>> orientation;  // [node] unit quaternion w, x, y, z
  std::vector<Triple> velocity;                    // [node] m/s
  std::vector<Triple> spin;                        // [node] rad/s
  std::vector<Triple> force;                       // [node] N
  std::vector<Triple> torque;                      // [node] N m
  std::vector<Triple> moment;                      // [node] A m^2
  std::vector<double> mass;                        // [node] kg
  std::vector<double> radius;                      // [node] m, half the thickness of the section, for drawing
  std::vector<int> body;                           // [node] index into bodies
  std::vector<std::string> bodies;                 // names of rods and rigid bodies

  std::vector<std::array<int, 2>> bond;       // [bond] its nodes
  std::vector<std::array<double, 4>> strain;  // [bond] stretch (1), shear (rad), bend (rad), twist (rad)
  std::vector<std::array<double, 4>> energy;  // [bond] J: stretch, shear, bend, twist
  std::vector<char> broken;                   // [bond] 1 = broken

  std::vector<Triple> contact_force;         // [node] N; this and the next two empty where there is no contact
  std::vector<double> contact_gap;           // [node] m, to the nearest surface, at most as far as contact reaches
  std::vector<double> contacts;              // [node] how many push it
  std::vector<char> is_wall, is_ball;        // [node] a wall; a ball of its radius, for drawing
  std::vector<Triple> skin;                  // [skin point] m
  std::vector<int> skin_node;                // [skin point] the node it hangs on
  std::vector<std::array<int, 3>> triangle;  // [triangle] skin points: surfaces of rigid bodies, shells and obstacles
  std::vector<std::array<int, 2>> outline;   // [line] skin points: of walls that are around everything

  // Magnets and coils of fields, which are no nodes.
  std::vector<std::array<Triple, 2>> magnet_line;  // [line] m, outlines of all
  std::vector<Triple> magnet_centre;               // [magnet] m
  std::vector<Triple> magnet_north;                // [magnet] the way it is magnetised, of unit length (0: not known)

  std::vector<Triple> tracer;           // [tracer] m
  std::vector<Triple> tracer_velocity;  // [tracer] m/s
};

}  // namespace ls
