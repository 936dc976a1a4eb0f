#pragma once
#include "fluid/immersed/markers.h"
#include "model/inputs.h"

#include <memory>

namespace ls {

// What the fluid does to the nodes that markers hang on, as Inputs::flow has it; idle where that is null. Energy: none.
class MarkerTerm final : public Term {
 public:
  explicit MarkerTerm(std::vector<Marker> markers, std::vector<Floating> floating = {});

  const std::vector<Marker>& markers() const { return markers_; }

  std::string_view name() const override { return "fluid"; }
  int count() const override { return 0; }  // the model counts its bonds so
  bool adds_to_nodes() const override { return true; }
  bool is_idle(const Inputs& in) const override { return !in.flow; }
  void add_wrenches(const State& s, const Inputs& in, Wrenches& out, Team& team) const override;
  bool is_local() const override { return is_local_; }
  void add_local_wrenches(const State& s, const Inputs& in, Wrenches& out, int first_block,
                          int last_block) const override;
  void add_energy(const State&, const Inputs&, std::vector<EnergyPart>&, Team&) const override {}
  void add_wrench_change(const State&, const Inputs&, const std::vector<Twist<double>>&,
                         std::vector<Wrench<double>>&) const override {}
  void add_pattern(const State& s, const Inputs& in, std::vector<std::pair<int, int>>& pairs) const override;
  void add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& request,
                     BlockMatrix& out) const override;
  void record(const State& pose, const Inputs& in, double dt, Memory& memory) const override;
  std::size_t bytes() const override { return markers_.size() * sizeof(Marker); }

 private:
  struct Range {
    std::size_t first, last;
  };
  void add_drag(const State& s, const Inputs& in, Range markers, Wrenches& out) const;
  void add_drag_of(std::size_t marker, const State& s, const MarkerFlow& flow, Wrenches& out) const;
  void add_buoyancy(const State& s, const Inputs& in, Range floating, Wrenches& out) const;

  std::vector<Marker> markers_;
  std::vector<Floating> floating_;
  // Markers in a row that sit right on nodes in a row, from `node` on; -1: that do not.
  struct NodeRun {
    std::size_t first, last;
    int node;
  };
  std::vector<NodeRun> runs_;
  bool is_local_;  // every marker hangs on one node, and they are in the order of these
};

// The markers of a model that meets a fluid; null: it has none.
const MarkerTerm* find_marker_term(const Model& m);

}  // namespace ls
