#pragma once
#include "fluid/lattice/quads.h"
#include "fluid/lattice/row_field.h"

// The numbers of single cells of a RowField, whatever its precision.
namespace ls {

inline Quad numbers_of(const RowField& field, std::size_t cell) {
  return field.is_double() ? Four<double>::load(field.numbers<double>() + 4 * cell)
                           : __builtin_convertvector(Four<float>::load(field.numbers<float>() + 4 * cell), Quad);
}
inline void add_to(RowField& field, std::size_t cell, const Quad& v) {
  for (std::size_t k = 0; k < 4; ++k)
    if (field.is_double())
      field.numbers<double>()[4 * cell + k] += v[k];
    else
      field.numbers<float>()[4 * cell + k] += static_cast<float>(v[k]);
}
inline double more_of(RowField& field, std::size_t cell) {
  return field.is_double() ? field.more<double>()[cell] : static_cast<double>(field.more<float>()[cell]);
}
inline void add_to_more(RowField& field, std::size_t cell, double v) {
  if (field.is_double())
    field.more<double>()[cell] += v;
  else
    field.more<float>()[cell] += static_cast<float>(v);
}

}  // namespace ls
