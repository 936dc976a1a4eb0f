#pragma once
// Small scenes for every solver, with and without contact and a fluid, for tests that kill them.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ls::program {

inline const std::string soft = R"toml(
[material.m]
young = "1 MPa"
poisson = 0.4
density = 1100
friction = 0.4
restitution = 0.5
)toml";
inline const std::string weight = "[gravity]\ng = [0, 0, \"-9.81 m/s^2\"]\n";
inline const std::string floor_below = "[contact]\n[[wall]]\nname = \"floor\"\nplane = { normal = [0, 0, 1] }\n";
inline const std::string straight_rod = R"toml(
[[rod]]
name = "r"
material = "m"
section = { diameter = "3 mm" }
line = { from = [0, 0, "5 mm"], to = ["60 mm", 0, "5 mm"] }
bonds = 16
)toml";
inline const std::string clamped = "clamp = [\"start\"]\n";

inline std::string recorded(const std::string& frames, const std::string& rows) {
  return "[output]\nevery = " + frames +
         "\ncheckpoint = \"20 ms\"\n[[probe]]\nof = \"r.end\"\nrecord = [\"position\", " +
         "\"velocity\"]\nevery = " + rows + "\n";
}

inline const std::string stream = R"toml(
[fluid]
spacing = "0.1 mm"
size = ["2 mm", "2 mm", "1 mm"]
viscosity = "10 mPa s"
density = 1000
faces = { y = ["no-slip", { velocity = ["10 mm/s * sin(2*pi*t/(0.1 s))", 0, 0] }] }
tracers = { count = 20, cycle = "20 ms" }
[output]
every = 100
checkpoint = "20 ms"
fluid = { every = 200 }
)toml";
inline const std::string hair = R"toml(
[[rod]]
name = "r"
material = "m"
section = { diameter = "60 um" }
line = { from = ["1 mm", 0, "0.5 mm"], to = ["1 mm", "1 mm", "0.5 mm"] }
bonds = 8
clamp = ["start"]
[[probe]]
of = "r.end"
record = ["position", "fluid_force"]
every = 7
)toml";

inline const std::string field_line = R"toml(
[output.field]
every = 20
lines = [{ from = [0, 0, "30 mm"], to = ["50 mm", 0, "30 mm"], points = 5 }]
)toml";

// n x n x layers balls whose copies act on them, too: of few by a plain Ewald sum, of more than a hundred on a mesh.
inline std::string magnets_in_box(int n, int layers) {
  const std::string along = std::to_string(n);
  return R"toml(
[dipoles]
method = "ewald"
box = ["60 mm", "60 mm", "60 mm"]
accuracy = 1e-4
[[rigid]]
name = "ball"
shape = "sphere"
radius = "4 mm"
material = "m"
position = ["5 mm", "5 mm", "5 mm"]
moment = ["10 mA m^2", 0, 0]
grid = { n = [)toml" +
         along + ", " + along + ", " + std::to_string(layers) +
         R"toml(], spacing = ["11 mm", "11 mm", "11 mm"], tumbled = true }
[[probe]]
of = "ball[5]"
record = ["position", "angular_velocity"]
every = 7
)toml";
}

// [name, scene]
// NOLINTNEXTLINE(readability-function-size): a table
inline std::vector<std::pair<std::string, std::string>> scenes_to_kill() {
  const auto solver = [](const std::string& text) { return "[solver]\nkind = " + text; };
  const std::string balls = R"toml(
[[rigid]]
name = "ball"
shape = "sphere"
radius = "4 mm"
material = "m"
position = [0, "-10 mm", "5 mm"]
grid = { n = [3, 1, 2], spacing = ["9 mm", "9 mm", "9 mm"] }
)toml";
  const std::string buckling = R"toml(
on_instability = "jump"
[[rod]]
name = "r"
material = "m"
section = { width = "4 mm", height = "2 mm", width_direction = [0, 0, 1] }
line = { from = [0, 0, 0], to = ["100 mm", 0, 0] }
bonds = 30
clamp = ["start", "end"]
[[stage]]
name = "squeeze"
steps = 20
[[stage.drive]]
on = "r.end"
move = ["-5 mm * s", 0, 0]
[[stage]]
name = "back"
steps = 40
[[stage.load]]
on = "r[15]"
force = [0, "-60 mN + 120 mN * s", 0]
)toml";
  const std::string push = R"toml(
[[stage]]
name = "push"
steps = 200
[[stage.load]]
on = "r.end"
force = ["20 mN * s", 0, "-30 mN * s"]
)toml";
  // What goes by the state of the last step, and by what events have set so far.
  const std::string switched = R"toml(
moment = [0, 0, "20 mA m^2"]
moment_factor = "on"
[define]
on = 0
hits = 0
[[pair]]
of = ["ball[*]", "r"]
contact = false
[[field]]
gradient = { value = "3 T/m", axis = [0, 0, 1] }
factor = "if(r[8].position.z < 4 mm, 1, 0.5)"
[[event]]
name = "low"
when = "ball[5].position.z + 10 ms*ball[5].velocity.z < 12 mm"
hysteresis = "0.1 mm"
set = { on = 1 }
[[event]]
name = "high"
when = "ball[5].position.z > 16 mm"
set = { on = 0 }
[[event]]
name = "hit"
when = "contact(ball, floor)"
set = { hits = "hits + 1" }
[[event]]
name = "over"
when = "hits > 2 and t > 50 ms"
end_stage = true
[[load]]
on = "r.end"
force = [0, 0, "-2 N/m*(r.end.position.z - 5 mm)"]
[[stage]]
name = "one"
duration = "0.15 s"
[[stage]]
name = "two"
duration = "0.15 s"
set = { on = "s" }
)toml";
  // A rod that hangs on a hinge, with a weight on a motor at its end: stops, friction and a string too.
  const std::string linkage = R"toml(
[[rigid]]
name = "arm"
shape = "box"
size = ["30 mm", "2 mm", "2 mm"]
position = ["75 mm", 0, "5 mm"]
mass = "2 g"
[[joint]]
kind = "hinge"
a = "r.start"
axis = [0, 1, 0]
friction = "1 uN m"
[[joint]]
name = "wrist"
kind = "hinge"
a = "arm"
b = "r.end"
axis = [0, 1, 0]
limits = ["-40 deg", "40 deg"]
[[joint]]
kind = "distance"
a = "arm"
at = ["75 mm", 0, "50 mm"]
length = "60 mm"
string = true
[[motor]]
on = "wrist"
velocity = "6 rad/s * sin(2*pi*t/(0.2 s))"
max_torque = "20 mN m"
[[rod]]
name = "cord"
material = "m"
section = { diameter = "1 mm" }
line = { from = ["75 mm", "50 mm", "60 mm"], to = ["85 mm", "50 mm", "20 mm"] }
bonds = 6
[[rigid]]
name = "bob"
shape = "sphere"
radius = "3 mm"
position = ["85 mm", "50 mm", "20 mm"]
mass = "1 g"
[[joint]]
kind = "rope"
rod = "cord"
a = "bob"
reel = "20 mm * s"
)toml";
  const std::string beside =
      "[contact]\n[[wall]]\nname = \"w\"\nplane = { normal = [-1, 0, 0], point = [\"1.2 mm\", 0, 0] }\n";
  return {
      {"explicit", solver("\"explicit\"\nduration = \"1 s\"\ndt = \"20 us\"\n") + soft + weight + straight_rod +
                       clamped + recorded("\"50 ms\"", "\"10 ms\"")},
      {"explicit_contact", solver("\"explicit\"\nduration = \"0.5 s\"\n") + soft + weight + floor_below + straight_rod +
                               balls + recorded("\"25 ms\"", "\"5 ms\"")},
      {"implicit", solver("\"implicit\"\nduration = \"0.5 s\"\ndt = \"0.5 ms\"\n") + soft + weight + straight_rod +
                       clamped + recorded("50", "7")},
      {"implicit_contact", solver("\"implicit\"\nduration = \"0.6 s\"\ndt = \"1 ms\"\n") + soft + weight + floor_below +
                               straight_rod + recorded("20", "7")},
      {"implicit_joints", solver("\"implicit\"\nduration = \"0.3 s\"\ndt = \"1 ms\"\n") + soft + weight + straight_rod +
                              linkage + recorded("20", "7")},
      {"implicit_dipoles", solver("\"implicit\"\nduration = \"0.2 s\"\ndt = \"1 ms\"\n") + soft + floor_below +
                               straight_rod + clamped + "[dipoles]\n" + balls + "moment = [\"10 mA m^2\", 0, 0]\n" +
                               recorded("20", "7") + field_line},
      {"implicit_ewald", solver("\"implicit\"\nduration = \"30 ms\"\ndt = \"1 ms\"\n") + soft + "[contact]\n" +
                             magnets_in_box(3, 2) + "[output]\ncheckpoint = \"20 ms\"\n"},
      {"explicit_ewald", solver("\"explicit\"\nsteps = 60\ndt = \"20 us\"\n") + soft + magnets_in_box(5, 5) +
                             "[output]\ncheckpoint = \"20 ms\"\n"},
      {"implicit_events", solver("\"implicit\"\ndt = \"1 ms\"\n") + soft + weight + floor_below + straight_rod + balls +
                              switched + recorded("20", "7")},
      {"explicit_events", solver("\"explicit\"\ndt = \"10 us\"\n") + soft + weight + floor_below + straight_rod +
                              balls + switched + recorded("\"25 ms\"", "\"5 ms\"")},
      {"static_jumps", solver("\"static\"") + buckling + soft + recorded("5", "1")},
      {"static_contact",
       solver("\"static\"\n") + soft + weight + floor_below + straight_rod + clamped + push + recorded("10", "1")},
      {"fluid", solver("\"explicit\"\nduration = \"120 ms\"\n") + soft + stream + hair},
      {"fluid_contact", solver("\"implicit\"\nduration = \"200 ms\"\n") + soft + stream + beside + hair},
  };
}

inline std::string scene_to_kill(const std::string& name) {
  for (const auto& [called, text] : scenes_to_kill())
    if (called == name) return text;
  throw std::out_of_range(name);
}

}  // namespace ls::program
