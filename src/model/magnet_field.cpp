#include "model/magnet_field.h"

#include "model/field_sampling.h"

namespace ls {

void MagnetField::add(const Vec3<double>* x, int points, int order, FieldSample* out) const {
  if (factor == 0) return;
  std::visit(
      [&](const auto& body) {
        const auto field = [&](const auto& at) { return field_at(body, pose, at); };
        for (int i = 0; i < points; ++i) add_sample(field, x[i], order, factor, out[i]);
      },
      magnet_);
}

}  // namespace ls
