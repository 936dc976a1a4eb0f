#pragma once
#include "base/column.h"
#include "base/parallel.h"
#include "math/frame.h"

#include <cassert>

namespace ls {

// The impulses of a fluid on its markers, summed up over wrenches that act for `duration` (s) each.
struct MarkerImpulses {
  double duration = 0;
  Column force[3], torque[3];  // [marker] N s, N m s
};

// Where terms leave what acts on the nodes. A chain bond k joins nodes k and k+1 and writes slot k; the integration
// pass then takes force[k] - force[k-1] for node k, in that order, whatever the number of threads. Everything else adds
// to the node columns, in the order of the terms.
struct Wrenches {  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming): the names of its own copy
                   // loops
  Column bond_force[3];    // [block + k - first_bond] force of bond k on node k; minus it on node k+1
  Column bond_torque1[3];  // [block + k - first_bond] torque of bond k on node k
  Column bond_torque2[3];  // [block + k - first_bond] torque of bond k on node k+1
  Column force[3];         // [node - first] of everything else; empty until something else acts
  Column torque[3];        // [node - first]
  int first = 0;           // node of the columns: a tile of a sweep has columns of its own, which stay in the cache
  int first_bond = 0;      // likewise of the bonds: 8 times a block
  MarkerImpulses* impulses = nullptr;  // where they are wanted

  Wrenches() = default;
  explicit Wrenches(int nodes);  // without node columns
  void need_node_columns(int nodes);
  void clear_node_columns();
  void clear_node_columns(int first_block, int last_block);
  // Node columns for `count` nodes from first_node on, all zero.
  void move_node_columns(int first_node, int count);
  // Bond columns for the slots of `count` blocks from one on, which keep what they hold, and for the slot before.
  void move_bond_columns(int first_block, int count);

  void add_force(int node, const Vec3<double>& f) {
    const int i = node - first;
    assert(i >= 0 && i < static_cast<int>(force[0].size()));
    force[0][i] += f.x, force[1][i] += f.y, force[2][i] += f.z;
  }
  void add_torque(int node, const Vec3<double>& t) {
    const int i = node - first;
    assert(i >= 0 && i < static_cast<int>(torque[0].size()));
    torque[0][i] += t.x, torque[1][i] += t.y, torque[2][i] += t.z;
  }
  void add(int node, const Wrench<double>& w) {
    add_force(node, w.force);
    add_torque(node, w.torque);
  }
  // A force at the end of a lever.
  void add_force_at(int node, const Vec3<double>& lever, const Vec3<double>& f) {
    add_force(node, f);
    add_torque(node, cross(lever, f));
  }
};

// Blocks of eight nodes, [first, last), and the team that may share the work on them; none: it is for this thread.
struct Blocks {
  int first = 0, last = 0;
  Team* team = nullptr;

  static Blocks all(int nodes, Team& team) { return {0, (nodes + block - 1) / block, &team}; }

  // Calls body(first, last) on parts of them; all at once where they are fewer than `least`.
  template <class F>
  void share(int least, const F& body) const {
    if (team)
      team->run(last - first, least, [&](int from, int to) { body(first + from, first + to); });
    else if (first < last)
      body(first, last);
  }
};

}  // namespace ls
