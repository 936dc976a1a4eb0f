#pragma once
#include "collide/pairs.h"
#include "model/inputs.h"
#include "physics/barrier.h"

#include <utility>

namespace ls {

// A node of either side of a pair: the first, where it has several.
std::pair<int, int> sides_of(const Shapes& shapes, const ShapePair& pair);

// Which two bodies a pair of their parts belongs to.
std::uint64_t bodies_of(const Shapes& shapes, const ShapePair& pair);

// A barrier for each pair of bodies, two parts of one body among them. Two that come near each other get one that is as
// strong as what it will have to hold, and keep it while they are within the thickness of the settings: Memory has the
// list. Its strength is the force scale S = k h, N; its reach h is at most the thickness.
//
// What it exerts does not jump where bodies rest. Those that are within the thickness already when contact begins get a
// reach at which they do not push yet, and it grows as they part. Where a load presses a pair that rests too near for
// its barrier, the strength grows and the reach shrinks, such that the sum of its forces stays. The force of an impact
// says nothing about what a pair has to hold, and a reach that shrinks with each leaves none to brake the next one
// within. Only where bodies are so fast that their momentum asks for more in the short parts of a step does the
// strength grow alone.
class PairBarriers {
 public:
  // One place where two bodies are near.
  struct Place {
    std::uint64_t bodies;
    double gap;    // m
    double force;  // N, normal
  };

  PairBarriers(const Shapes& shapes, const BarrierScale& scale);

  Barrier of(const Memory& memory, const Inputs& in, const ShapePair& pair) const;

  // Before a solve that takes `duration` (0: a load step): notes how fast bodies move and what pulls at them beside
  // contact, [node] `contact` being its force (N) there. What new pairs get goes by that.
  void note_bodies(const State& s, const std::vector<Vec3<double>>& contact, double duration);
  // Gives barriers to pairs that have none (settled: such that they do not push yet), and stronger ones to those whose
  // momentum must be turned in less time than when they met. True where a barrier was changed that may push.
  bool meet(std::vector<Place>& places, const Inputs& in, bool settled, Memory& memory);
  // After a solve: drops what has parted. True where a barrier was changed that pushes.
  bool keep(std::vector<Place>& places, const Inputs& in, Memory& memory);

 private:
  struct Motion {
    Vec3<double> mean{};  // m/s
    double apart = 0;     // m/s, by which places of the body are faster than that at most
    double load = 0;      // N
  };
  double strength(std::uint64_t bodies, const Inputs& in) const;
  double closing(std::size_t a, std::size_t b) const;                // m/s, at most
  double turning(std::size_t a, std::size_t b, double speed) const;  // N, share of what turns it within the solve
  bool rest_on_each_other(std::uint64_t bodies) const;
  double thickness() const { return shapes_.settings.thickness; }

  const Shapes& shapes_;
  BarrierScale scale_;
  std::vector<double> extent_;  // [node] m, how far its shape reaches
  // What begin of a solve noted.
  std::vector<Motion> motion_;          // [body]
  double duration_ = 0;                 // s
  std::vector<std::uint64_t> pressed_;  // bodies that were near each other's limit when the solve began, ascending
};

}  // namespace ls
