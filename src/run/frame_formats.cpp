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

std::vector<FrameFormat> all_formats(const FrameContents& contents, const Output& wanted) {
  std::vector<FrameFormat> all;
  all.push_back({wanted.vtk, vtk_frames(contents)});
  all.push_back({wanted.hdf5, hdf5_frames(contents)});
  all.push_back({wanted.dump, dump_frames(contents)});
  return all;
}
}  // namespace

std::vector<FrameFormat> frame_formats(const Plan& plan) {
  return all_formats(frame_contents(plan), plan.output);
}

std::vector<FrameFiles> files_of_all_formats() {
  std::vector<FrameFiles> files;
  for (const FrameFormat& format : all_formats({}, {})) files.push_back(format.writer->files());
  return files;
}

}  // namespace ls
