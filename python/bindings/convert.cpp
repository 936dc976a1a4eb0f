#include "bindings/convert.h"

#include <fmt/format.h>

namespace ls::python {

namespace {

constexpr int deepest = 100;

TomlValue value_of(py::handle object, const std::string& key, int depth);

[[noreturn]] void refuse(const std::string& key, const std::string& why) {
  fail({"", 0, 0, key}, why);
}

std::string text_of(py::handle object, const std::string& key) {
  try {
    return object.cast<std::string>();
  } catch (const py::error_already_set&) {
    refuse(key, "found a text that is no Unicode");
  }
}

TomlValue::Entries entries_of(const py::dict& dict, const std::string& key, int depth) {
  TomlValue::Entries entries;
  for (const auto& [name, item] : dict) {
    if (!py::isinstance<py::str>(name)) refuse(key, "found a key that is no text: keys are names, as \"bonds\"");
    const std::string word = text_of(name, key);
    entries.push_back({word, 0, 0, value_of(item, key.empty() ? word : key + "." + word, depth + 1)});
  }
  return entries;
}

TomlValue::List list_of(py::handle object, const std::string& key, int depth) {
  TomlValue::List list;
  for (const auto& item : object) list.push_back(value_of(item, fmt::format("{}[{}]", key, list.size()), depth + 1));
  return list;
}

long long integer_of(py::handle object, const std::string& key) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0) refuse(key, "found a whole number of more than 64 bits");
  return value;
}

TomlValue value_of(py::handle object, const std::string& key, int depth) {
  if (depth > deepest) refuse(key, "found tables or lists within each other, more than 100 deep");
  TomlValue v;
  if (object.is_none()) refuse(key, "found None, which is no value: leave the key out");
  if (PyBool_Check(object.ptr())) {
    v.value = object.cast<bool>();
  } else if (PyLong_Check(object.ptr())) {
    v.value = integer_of(object, key);
  } else if (PyFloat_Check(object.ptr())) {
    v.value = object.cast<double>();
  } else if (py::isinstance<py::str>(object)) {
    v.value = text_of(object, key);
  } else if (py::isinstance<py::dict>(object)) {
    v.value = entries_of(py::reinterpret_borrow<py::dict>(object), key, depth);
  } else if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    v.value = list_of(object, key, depth);
  } else if (py::hasattr(object, "__fspath__")) {
    v.value = text_of(object.attr("__fspath__")(), key);
  } else if (py::hasattr(object, "tolist")) {  // numpy's scalars and arrays
    return value_of(object.attr("tolist")(), key, depth + 1);
  } else if (PyCallable_Check(object.ptr())) {
    refuse(key, "found a function: only scene.field(function=…) takes one");
  } else {
    refuse(key, fmt::format("found a {}, expected a number, a text, a list or a dictionary",
                            Py_TYPE(object.ptr())->tp_name));
  }
  return v;
}

}  // namespace

TomlValue tree_of(py::handle object, const std::string& key) {
  return value_of(object, key, 0);
}

py::object object_of(const TomlValue& value) {
  struct Made {
    py::object operator()(bool b) const { return py::bool_(b); }
    py::object operator()(long long i) const { return py::int_(i); }
    py::object operator()(double d) const { return py::float_(d); }
    py::object operator()(const std::string& text) const { return py::str(text); }
    py::object operator()(const TomlValue::List& list) const {
      py::list all;
      for (const TomlValue& item : list) all.append(object_of(item));
      return all;
    }
    py::object operator()(const TomlValue::Entries& table) const {
      py::dict all;
      for (const TomlEntry& e : table) all[py::str(e.key)] = object_of(e.value);
      return all;
    }
    py::object operator()(const TomlValue::Date&) const { return py::none(); }
  };
  return std::visit(Made{}, value.value);
}

py::array_t<double> view_of(double* first, int nodes, int columns, std::size_t distance, py::handle owner) {
  const auto size = static_cast<py::ssize_t>(sizeof(double));
  return py::array_t<double>({static_cast<py::ssize_t>(nodes), static_cast<py::ssize_t>(columns)},
                             {size, size * static_cast<py::ssize_t>(distance)}, first, owner);
}

}  // namespace ls::python
