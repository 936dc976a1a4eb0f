#include "base/widths.h"
#include "fluid/lattice/row_loops.h"

namespace ls {

template <class T>
const RowLoops<T>& row_loops() {
  return widest<RowLoops<T>>();
}
template const RowLoops<float>& row_loops<float>();
template const RowLoops<double>& row_loops<double>();

}  // namespace ls
