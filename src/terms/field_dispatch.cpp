#include "base/widths.h"
#include "terms/field_loops.h"

const ls::FieldLoops& ls::field_loops() {
  return widest<FieldLoops>();
}
