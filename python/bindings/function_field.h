#pragma once
#include "bindings/interruption.h"
#include "scene/fields.h"

#include <memory>

namespace ls::python {

// A field that a function of Python works out: sample(t, length, x, order) gives B (points, 3), its gradient
// (points, 3, 3) or None, and the second derivatives (points, 3, 3, 3) or None, as lodestone/functions.py makes it.
class PythonField final : public FieldFunction {
 public:
  explicit PythonField(pybind11::object sample) : sample_(std::move(sample)) {}
  ~PythonField() override;
  PythonField(const PythonField&) = delete;
  PythonField& operator=(const PythonField&) = delete;
  void add(double t, double length, const Vec3<double>* x, int points, int order, FieldSample* out) const override;

  // With the lock: raises what the function has raised since the last time, which the computation saw as no numbers.
  void raise() const { failure_.raise(); }
  bool has_raised() const { return failure_.stops(); }

 private:
  void ask(double t, double length, const Vec3<double>* x, int points, int order, FieldSample* out) const;
  pybind11::object sample_;
  mutable Interruption failure_;
};

using PythonFields = std::vector<std::shared_ptr<const PythonField>>;

// What any of them has raised, else nothing. With the lock.
void raise_failures(const PythonFields& fields);
inline bool any_has_raised(const PythonFields& fields) {
  return std::any_of(fields.begin(), fields.end(), [](const auto& f) { return f->has_raised(); });
}

}  // namespace ls::python
