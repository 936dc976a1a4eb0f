import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// A clamped rod that falls under its weight beside a ball that falls on a floor: all kinds of things in one short run.
export function writeScene(folder, { duration = '0.2 s', frames = '10 ms', more = '' } = {}) {
  const path = join(folder, 'scene.toml');
  writeFileSync(path, `title = "A rod and a ball"
[solver]
kind = "implicit"
dt = "2 ms"
[material.rubber]
young = "1 MPa"
poisson = 0.45
density = "1100 kg/m^3"
magnetisation = "20 kA/m"
[gravity]
g = [0, 0, "-9.81 m/s^2"]
[contact]
[[rod]]
name = "beam"
material = "rubber"
section = { diameter = "8 mm" }
line = { from = [0, 0, 0], to = ["0.2 m", 0, 0] }
bonds = 20
magnetisation_direction = [1, 0, 0]
clamp = ["start"]
[[rigid]]
name = "ball"
material = "rubber"
shape = "sphere"
radius = "2 cm"
position = ["0.1 m", "0.1 m", "-5 cm"]
[[wall]]
name = "floor"
plane = { normal = [0, 0, 1], point = [0, 0, "-10 cm"] }
[[stage]]
name = "fall"
duration = "${duration}"
[[probe]]
name = "tip"
of = "beam.end"
record = ["displacement"]
every = "2 ms"
[output]
every = "${frames}"
vtk = false
${more}`);
  return path;
}
