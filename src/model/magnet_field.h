#pragma once
#include "model/field.h"
#include "physics/magnets.h"

namespace ls {

// The field of a magnet or a coil that stands somewhere.
class MagnetField final : public Field {
 public:
  explicit MagnetField(Magnet magnet) : magnet_(magnet) {}

  Frame<double> pose;
  double factor = 1;

  void add(const Vec3<double>* x, int points, int order, FieldSample* out) const override;

 private:
  Magnet magnet_;
};

}  // namespace ls
