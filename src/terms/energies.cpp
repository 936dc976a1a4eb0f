#include "terms/energies.h"

namespace ls {

double Energies::total() const {
  double sum = 0;
  for (const double v : value_) sum += v;
  return sum;
}

std::vector<EnergyPart> Energies::named() const {
  std::vector<EnergyPart> all;
  for (std::size_t k = 0; k < value_.size(); ++k) {
    const auto kind = static_cast<EnergyKind>(k);
    if ((kind == EnergyKind::contact && !has_contact_) || (kind == EnergyKind::dipole && !has_dipoles_) ||
        (kind == EnergyKind::induction && !has_induction_) || (kind == EnergyKind::joint && !has_joints_))
      continue;
    all.push_back({std::string(energy_names[k]), value_[k]});
  }
  all.push_back({"total", total()});
  return all;
}

double energy_of(const std::vector<EnergyPart>& parts, std::string_view name) {
  for (const auto& p : parts)
    if (p.name == name) return p.value;
  return 0;
}

}  // namespace ls
