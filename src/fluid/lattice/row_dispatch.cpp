#include "base/isa.h"
#include "fluid/lattice/row_loops.h"

namespace ls {

inline namespace portable {
const RowLoops<float>& row_loops_of_width(float);
const RowLoops<double>& row_loops_of_width(double);
}  // namespace portable
#ifdef LODESTONE_WIDE
namespace avx2 {
const RowLoops<float>& row_loops_of_width(float);
const RowLoops<double>& row_loops_of_width(double);
}  // namespace avx2
namespace avx512 {
const RowLoops<float>& row_loops_of_width(float);
const RowLoops<double>& row_loops_of_width(double);
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

}  // namespace ls
