#pragma once
#include "dipoles/tree/translation_loops.h"

namespace ls {

// Expansions that wait until four can go through their matrix together.
template <class R>
class Batch {
 public:
  Batch() = default;
  Batch(const R* matrix, int height, int rows, int columns) {
    products_.matrix = matrix;
    products_.height = height;
    products_.rows = rows;
    products_.columns = columns;
    products_.count = 0;
  }

  void push(const R* from, R* to) {
    const int i = products_.count++;
    products_.from[i] = from;
    products_.to[i] = to;
    if (products_.count == most_at_once) flush();
  }
  void flush() {
    if (products_.count > 0) translation_loops<R>().add(products_);
    products_.count = 0;
  }

 private:
  Products<R> products_{};
};

}  // namespace ls
