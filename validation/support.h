#pragma once
#include "build/builder.h"
#include "step/work.h"
#include "terms/bonds/bond_terms.h"
#include "validation/validation.h"

#include <map>
#include <span>

// What several cases need: reference tables, simple numerics on curves, and rods in flight without a scene file.
namespace ls::validation {

// A CSV file by columns: a header line, then one record a line. Lines that begin with # are comments, spaces around a
// value do not count. Errors name file, column and record.
class Table {
 public:
  explicit Table(const std::filesystem::path& file);

  std::size_t size() const { return records_; }
  const std::vector<std::string>& text(const std::string& column) const;
  std::vector<double> operator[](const std::string& column) const;

 private:
  std::string file_;
  std::size_t records_ = 0;
  std::map<std::string, std::vector<std::string>> columns_;
};

// The larger of the two, or NaN where one is: std::max would hide it.
double worse(double a, double b);

// Largest |a - b| of two lists of the same length.
double max_abs_difference(std::span<const double> a, std::span<const double> b);

// The value at `at` of the cubic through the four samples around it, x ascending; exact at a sample. Outside of the
// samples NaN.
double interpolate(std::span<const double> x, std::span<const double> y, double at);

// The p of error ~ h^p: the slope of the least-squares line through the logarithms.
double convergence_order(std::span<const double> h, std::span<const double> error);

double mean(std::span<const double> values);
double band(std::span<const double> values);  // largest less smallest

// About `count` of the samples for a plot, of each stretch its lowest and highest: what oscillates keeps its envelope.
Series thinned(std::string name, std::span<const double> x, std::span<const double> y, std::size_t count = 600);

// A row whose error is |ours - reference|.
Row compared(std::string quantity, double ours, double reference, double limit, std::string unit = "");
// A row for something that should be nothing: ours is the error.
Row small(std::string quantity, double ours, double limit, std::string unit = "");

// The largest stable step of a model as it stands, its clamps held.
double critical_step_of(const Model& model, const State& state);

// A model on its way by the explicit stepper, undamped, clamps standing still.
class Flight {
 public:
  Flight(Builder::Result start, double dt, bool richardson = false);

  bool fly(long long steps);  // false once it diverged, and from then on
  double time() const { return static_cast<double>(steps_) * in_.dt; }
  double energy();
  std::map<std::string, double> energies();
  std::vector<BondRecord> bonds() const;
  const Model& model() const { return made_.model; }
  const Nodes& nodes() const { return made_.state.nodes; }

 private:
  Builder::Result made_;
  Inputs in_;
  Work work_;
  long long steps_ = 0;
  bool lost_ = false;
};

}  // namespace ls::validation
