#include "run/summary.h"

#include "base/isa.h"
#include "run/fluid/fluid_report.h"
#include "run/safety/energy_watch.h"
#include "step/energy.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

namespace ls {

const char* const version = LODESTONE_VERSION;

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

namespace {

// Energy that neither the ledger nor the start explains; below 0, where only the total is followed: what was
// dissipated.
nlohmann::json energy_balance(const Plan& plan, const State& s, double total) {
  const Ledger& l = s.memory.ledger;
  if (plan.thermal.temperature > 0) return {{"followed", "no: heat comes and goes"}};
  if (plan.keeps_ledger()) return {{"followed", "ledger"}, {"gained", total - l.supplied()}};
  if (plan.fluid) return {{"followed", "no: that of the fluid is not known"}};
  for (std::size_t k = 0; k < plan.stages.size(); ++k)
    if (!is_closed(plan, static_cast<int>(k))) return {{"followed", "no: only with a probe of the ledger"}};
  return {{"followed", "total energy"}, {"gained", total - l.start}};
}

nlohmann::json ledger_json(const Ledger& ledger, const std::vector<EnergyPart>& energy) {
  return {{"drives", ledger.drives},
          {"loads", ledger.loads},
          {"fields", ledger.fields},
          {"dissipated", ledger.dissipated},
          {"contact", energy_of(energy, "contact")},
          {"friction", ledger.friction},
          {"barrier", ledger.barrier},
          {"numerical", ledger.numerical},
          {"balance", energy_of(energy, "total") - ledger.expected()}};
}

}  // namespace

nlohmann::json summary(const Plan& plan, const TimeScales& scales, const Schedule& schedule, const State& s,
                       const Inputs& in, double first_energy, const RunReport& report, Work& work) {
  const std::vector<EnergyPart> energy = energies(plan.model, in, s, work);
  nlohmann::json j;
  j["status"] = name(report.status);
  if (!report.message.empty()) j["message"] = report.message;
  j["title"] = plan.title;
  j["version"] = version;
  j["steps"] = s.clock.step;
  j["time"] = s.clock.time;
  j["stage"] = plan.stages[s.clock.stage].name;
  j["nodes"] = plan.model.nodes;
  j["bonds"] = plan.model.bonds();
  for (const auto& term : work.terms.all) j["models"].push_back(term->name());
  for (const auto& e : energy) j["energy"][e.name] = e.value;
  j["energy"]["at_start"] = first_energy;
  long long broken = 0;
  for (const auto b : s.memory.broken) broken += b;
  j["broken_bonds"] = broken;
  j["newton_iterations"] = s.memory.iterations;
  if (const StepParts& parts = s.memory.parts; parts.taken > 0)
    j["parts"] = {{"taken", parts.taken}, {"mean", parts.time / parts.taken}, {"shortest", parts.shortest}};
  if (!plan.model.soft.cells.empty()) j["induction_iterations"] = s.memory.induction_iterations;
  if (plan.keeps_ledger()) j["ledger"] = ledger_json(s.memory.ledger, energy);
  j["energy_balance"] = energy_balance(plan, s, energy_of(energy, "total"));
  if (plan.uses(SolverKind::implicit_dynamics) && plan.solver.scheme == ImplicitRule::midpoint)
    j["energy_balance"]["midpoint_drift"] = report.energy_drift;
  j["solver"] = {{"kind", name(plan.solver.kind)},
                 {"critical_step", scales.critical},
                 {"largest_frequency", scales.frequency},
                 {"seed", plan.solver.seed}};
  for (std::size_t k = 0; k < plan.stages.size(); ++k)
    j["stages"].push_back({{"name", plan.stages[k].name},
                           {"duration", schedule.spans()[k].duration},
                           {"dt", schedule.spans()[k].dt},
                           {"steps", schedule.spans()[k].steps}});
  if (plan.fluid) {
    j["fluid"] = fluid_json(plan);
    j["fluid"]["steps"] = s.fluid.steps;
  }
  j["warnings"] = plan.warnings;
  if (const std::string w = step_warning(plan, scales); !w.empty()) j["warnings"].push_back(w);
  j["scene"] = {{"text", plan.text}, {"set", plan.sets}};
  j["wall_seconds"] = report.wall_seconds;
  j["machine"] = {{"cpu", cpu_name()},
                  {"cores", std::thread::hardware_concurrency()},
                  {"isa", name(chosen_isa())},
                  {"threads", work.team.size()}};
  if (plan.fluid && report.wall_seconds > 0)  // node updates a second, in millions, with all else that a step does
    j["machine"]["mlups"] = 1e-6 * static_cast<double>(plan.fluid.box->lattice().cells()) *
                            static_cast<double>(s.clock.step) / report.wall_seconds;
  return j;
}

}  // namespace ls
