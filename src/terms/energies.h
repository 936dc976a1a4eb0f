#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The names of energies: of those that terms add, of those that nodes have, and of probes and results.
namespace ls {

enum class EnergyKind : std::uint8_t {
  kinetic,
  spin,
  stretch,
  shear,
  bend,
  twist,
  gravity,
  zeeman,
  dipole,
  induction,
  contact,
  joint
};
inline constexpr int energy_kinds = 12;
inline constexpr std::array<std::string_view, energy_kinds> energy_names = {"kinetic", "spin",      "stretch", "shear",
                                                                            "bend",    "twist",     "gravity", "zeeman",
                                                                            "dipole",  "induction", "contact", "joint"};

// Whether it depends on the inputs: what fields and gravity bring in as they change is work done from outside.
constexpr bool is_external(EnergyKind kind) {
  return kind == EnergyKind::gravity || kind == EnergyKind::zeeman || kind == EnergyKind::induction;
}

constexpr bool is_of_bonds(EnergyKind kind) {
  return kind >= EnergyKind::stretch && kind <= EnergyKind::twist;
}

struct EnergyPart {
  std::string name;
  double value;  // J
};

// Sums by kind, J.
class Energies {
 public:
  // dipoles: those among the external ones, where moments are switched from outside; bonds: nothing else
  enum class Wanted : std::uint8_t { all, external, external_and_dipoles, bonds };
  explicit Energies(Wanted wanted = Wanted::all) : wanted_(wanted) {}

  // A term that costs something to ask looks first.
  bool wants(EnergyKind kind) const {
    if (wanted_ == Wanted::bonds) return is_of_bonds(kind);
    if (kind == EnergyKind::dipole && wanted_ == Wanted::external_and_dipoles) return true;
    return wanted_ == Wanted::all || is_external(kind);
  }
  void add(EnergyKind kind, double value) {
    value_[static_cast<std::size_t>(kind)] += value;
    if (kind == EnergyKind::contact) has_contact_ = true;
    if (kind == EnergyKind::dipole) has_dipoles_ = true;
    if (kind == EnergyKind::induction) has_induction_ = true;
    if (kind == EnergyKind::joint) has_joints_ = true;
  }
  double operator[](EnergyKind kind) const { return value_[static_cast<std::size_t>(kind)]; }
  double total() const;
  // In the order of the probes, "total" last. Contact, dipoles, induction and joints are among them where something
  // said so.
  std::vector<EnergyPart> named() const;

 private:
  std::array<double, energy_kinds> value_{};
  Wanted wanted_;
  bool has_contact_ = false, has_dipoles_ = false, has_induction_ = false, has_joints_ = false;
};

double energy_of(const std::vector<EnergyPart>& parts, std::string_view name);

}  // namespace ls
