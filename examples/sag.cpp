// Lets the first body of a scene sag, and prints how far its last node has come.
// usage: sag [SCENE [FOLDER]]
#include <iostream>
#include <lodestone/lodestone.h>

int main(int argc, char** argv) try {
  ls::Plan plan = ls::read_scene(argc > 1 ? argv[1] : "scenes/cantilever.toml", {"solver.kind=static"});
  ls::RunOptions options;
  options.out = argc > 2 ? argv[2] : "out/sag";
  const ls::RunReport report = ls::run(plan, options);
  const ls::State end = ls::read_checkpoint(report.folder / "checkpoint.h5").state;
  const int tip = plan.model.bodies[0].nodes.back();
  const auto moved = end.nodes.frame(tip).x - plan.start.nodes.frame(tip).x;
  std::cout << name(report.status) << ": " << moved.x << ' ' << moved.y << ' ' << moved.z << " m\n";
} catch (const ls::Error& e) {
  std::cerr << e.what() << '\n';
  return static_cast<int>(e.fault());
}
