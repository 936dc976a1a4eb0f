#include "base/isa.h"
#include "fluid/marker_loops.h"
#include "fluid/row_loops.h"

namespace ls {

inline namespace portable {
const RowLoops<float>& row_loops_of_width(float);
const RowLoops<double>& row_loops_of_width(double);
const MarkerLoops& marker_loops_of_width();
}  // namespace portable
#ifdef LODESTONE_WIDE
namespace avx2 {
const RowLoops<float>& row_loops_of_width(float);
const RowLoops<double>& row_loops_of_width(double);
const MarkerLoops& marker_loops_of_width();
}  // namespace avx2
namespace avx512 {
const RowLoops<float>& row_loops_of_width(float);
const RowLoops<double>& row_loops_of_width(double);
const MarkerLoops& marker_loops_of_width();
}  // namespace avx512
#endif

template <class T>
const RowLoops<T>& row_loops() {
#ifdef LODESTONE_WIDE
  if (chosen_isa() == Isa::avx512) return avx512::row_loops_of_width(T{});
  if (chosen_isa() == Isa::avx2) return avx2::row_loops_of_width(T{});
#endif
  return portable::row_loops_of_width(T{});
}
template const RowLoops<float>& row_loops<float>();
template const RowLoops<double>& row_loops<double>();

namespace {

const MarkerLoops& widest_marker_loops() {
#ifdef LODESTONE_WIDE
  if (chosen_isa() == Isa::avx512) return avx512::marker_loops_of_width();
  if (chosen_isa() == Isa::avx2) return avx2::marker_loops_of_width();
#endif
  return portable::marker_loops_of_width();
}

}  // namespace

const MarkerLoops& marker_loops() {
  static const MarkerLoops& loops = widest_marker_loops();  // asked for at every marker
  return loops;
}

}  // namespace ls
