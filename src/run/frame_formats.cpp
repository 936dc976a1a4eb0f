#include "run/frame_formats.h"

#include "output/dump.h"
#include "output/vtk.h"
#include "output/xdmf.h"

namespace ls {

namespace {
FrameContents frame_contents(const Plan& plan) {
  const Skin& skin = plan.model.skin;
  FrameContents c;
  c.nodes = static_cast<std::size_t>(plan.model.nodes);
  c.bonds = static_cast<std::size_t>(plan.model.bonds());
  c.skin_points = skin.points.size();
  c.skin_cells = skin.triangles.size() + skin.lines.size();
  c.tracers = static_cast<std::size_t>(plan.fluid.tracers.count);
  return c;
}
}  // namespace

std::vector<FrameFormat> frame_formats(const Plan& plan) {
  const FrameContents contents = frame_contents(plan);
  std::vector<FrameFormat> all;
  all.push_back({plan.output.vtk, vtk_frames(contents)});
  all.push_back({plan.output.hdf5, hdf5_frames(contents)});
  all.push_back({plan.output.dump, dump_frames(contents)});
  return all;
}

}  // namespace ls
