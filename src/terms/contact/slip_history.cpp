#include "terms/contact/slip_history.h"

#include <algorithm>

namespace ls {

namespace {

Vec3<double> stored(const Memory& m, std::size_t k) {
  return {m.slip[3 * k], m.slip[3 * k + 1], m.slip[3 * k + 2]};
}

// The points of one side of a pair; at most three.
struct Side {
  int point[3], count;
  bool meets(const Side& o) const {
    return std::any_of(point, point + count,
                       [&](int p) { return std::find(o.point, o.point + o.count, p) != o.point + o.count; });
  }
};
Side side_of(const Shapes& shapes, PairKind kind, bool side_b, int index) {
  const auto k = static_cast<std::size_t>(index);
  if (kind == PairKind::edges || (kind == PairKind::point_edge && side_b))
    return {{shapes.edges[k].a, shapes.edges[k].b, -1}, 2};
  if (kind == PairKind::point_triangle && side_b)
    return {{shapes.triangles[k].a, shapes.triangles[k].b, shapes.triangles[k].c}, 3};
  return {{index, -1, -1}, 1};
}

}  // namespace

ShapePair pair_of(std::uint64_t key) {
  constexpr std::uint64_t mask = (1ULL << 30) - 1;
  return {static_cast<PairKind>(key >> 60), static_cast<int>((key >> 30) & mask), static_cast<int>(key & mask)};
}

int kinship(const Shapes& shapes, const ShapePair& p, const ShapePair& q) {
  if (p.kind == PairKind::point_hollow || q.kind == PairKind::point_hollow) return 0;
  const Side pa = side_of(shapes, p.kind, false, p.a), pb = side_of(shapes, p.kind, true, p.b),
             qa = side_of(shapes, q.kind, false, q.a), qb = side_of(shapes, q.kind, true, q.b);
  if (pa.meets(qa) && pb.meets(qb)) return 1;
  return pa.meets(qb) && pb.meets(qa) ? -1 : 0;
}

void SlipHistory::load(const std::vector<Touch>& touches, const Memory& memory) {
  slip_.assign(touches.size(), {});
  fresh_.clear();
  orphan_.clear();
  const auto& known = memory.touching;
  std::size_t old = 0;
  for (std::size_t k = 0; k < touches.size(); ++k) {
    const std::uint64_t key = touches[k].pair.key();
    for (; old < known.size() && known[old] < key; ++old) orphan_.push_back(old);
    if (old < known.size() && known[old] == key)
      slip_[k] = stored(memory, old++);
    else
      fresh_.push_back(k);
  }
  for (; old < known.size(); ++old) orphan_.push_back(old);
  if (!shapes_.edges.empty() && !fresh_.empty() && !orphan_.empty()) inherit(touches, memory);
}

void SlipHistory::inherit(const std::vector<Touch>& touches, const Memory& memory) {
  for (const std::size_t k : fresh_)
    for (auto o = orphan_.begin(); o != orphan_.end(); ++o) {
      const int sign = kinship(shapes_, touches[k].pair, pair_of(memory.touching[*o]));
      if (sign == 0) continue;
      slip_[k] = sign * stored(memory, *o);
      orphan_.erase(o);  // one heir each
      break;
    }
}

void SlipHistory::save(const std::vector<Touch>& touches, Memory& memory) const {
  memory.touching.resize(touches.size());
  memory.slip.resize(3 * touches.size());
  for (std::size_t k = 0; k < touches.size(); ++k) {
    memory.touching[k] = touches[k].pair.key();
    memory.slip[3 * k] = slip_[k].x, memory.slip[3 * k + 1] = slip_[k].y, memory.slip[3 * k + 2] = slip_[k].z;
  }
}

}  // namespace ls
