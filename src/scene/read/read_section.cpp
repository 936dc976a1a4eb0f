#include "scene/read/reader.h"

#include <fmt/format.h>

// section = { diameter = … } or { width = …, height = …, width_direction = […] }, the sizes perhaps expressions of u.
namespace ls {

std::function<double(double u)> graded(const Value& value, const Dimension& dimension, const Draft& draft) {
  const Expression e = value.expression(draft.graded, dimension);
  for (int slot = 1; slot < draft.graded.variable_count(); ++slot)
    if (e.uses(slot))
      value.fail(fmt::format("found {}, which a stage changes; expected a value that stays the same", value.shown()));
  if (e.is_constant()) return [v = e.quantity().value](double) { return v; };
  return [e](double u) { return e(std::span<const double>(&u, 1)); };
}

namespace {

struct Size {
  std::function<double(double u)> at;  // m
  bool is_constant = false;
};

Size read_size(Table& table, const std::string& key, const Draft& draft) {
  const Value value = table.need(key, "a length (m), for example \"3 mm\"");
  Size size{graded(value, dim::length, draft), value.expression(draft.graded).is_constant()};
  if (size.is_constant && !(size.at(0) > 0)) value.fail_expected("a value above 0");
  return size;
}

}  // namespace

SectionReading read_section(Table& rod, double poisson, const Draft& draft) {
  SectionReading r;
  Table table(rod.need("section", "{ diameter = … } or { width = …, height = … }"), "rod.section");
  r.place = table.place();
  const auto width_direction = table.find("width_direction");
  if (width_direction) {
    r.width = width_direction->direction();
    r.place = width_direction->place();
  }
  if (table.has("diameter")) {
    table.one_of({"diameter", "width"});
    const Size d = read_size(table, "diameter", draft);
    if (d.is_constant) r.diameter = d.at(0);
    r.is_graded = !d.is_constant;
    r.section = [=](double u) { return circular_section(d.at(u), poisson); };
  } else {
    table.one_of({"diameter", "width"});
    const Size w = read_size(table, "width", draft), h = read_size(table, "height", draft);
    r.is_graded = !w.is_constant || !h.is_constant;
    r.section = [=](double u) { return rectangular_section(w.at(u), h.at(u), poisson); };
  }
  r.width_matters = width_direction.has_value() || !table.has("diameter");
  table.finish();
  // Most sections are the same all along: worked out once.
  if (!r.is_graded) r.section = [s = r.section(0)](double) { return s; };
  return r;
}

}  // namespace ls
