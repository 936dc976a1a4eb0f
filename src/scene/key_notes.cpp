#include "scene/key_notes.h"

namespace ls {

KeyNote& KeyNote::item() {
  if (!items) items = std::make_unique<KeyNote>();
  return *items;
}

void KeyNote::number(const Dimension& dimension, const Range& range) {
  for (const Number& n : numbers)
    if (n.dimension == dimension && n.range == range) return;
  numbers.push_back({dimension, range});
}

void KeyNote::whole(long long low, long long high) {
  for (const Whole& w : wholes)
    if (w.low == low && w.high == high) return;
  wholes.push_back({low, high});
}

std::set<std::string> SceneNotes::keys() const {
  std::set<std::string> all;
  for (const auto& [pattern, table] : tables)
    for (const auto& entry : table.keys) all.insert(pattern.empty() ? entry.first : pattern + "." + entry.first);
  return all;
}

}  // namespace ls
