#pragma once
#include "model/model.h"

#include <optional>

// What overlaps at the start of a scene, where nothing has moved yet.
namespace ls {

struct Overlap {
  std::string a, b;        // as a user knows them: "beam[12]-beam[13]", "floor"
  int node_a = 0;          // one of each, to tell their bodies
  int node_b = 0;          //
  double depth = 0;        // m
  Vec3<double> towards{};  // unit: where a would have to go
};

// Parts whose surfaces are nearer to each other than `gap`, each two once, the deepest first.
std::vector<Overlap> find_overlaps(const Model& model, const Nodes& nodes, double gap = 0);

// In words, for messages: of each two bodies the deepest, one a line where there are several, ten at most.
std::string describe(const std::vector<Overlap>& overlaps, const Model& model);

// Shifts bodies as they are, those that share nodes together, until every gap is at least the given one. Walls and held
// bodies stay. Returns what is left: overlaps of a body with itself, of two that are held, or too many.
std::vector<Overlap> resolve_overlaps(const Model& model, double gap, Nodes& nodes);

}  // namespace ls
