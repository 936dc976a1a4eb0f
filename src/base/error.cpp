#include "base/error.h"

#include <fmt/format.h>

namespace ls {

std::string describe(const Place& place, const std::string& message) {
  std::string where = place.file;
  if (place.line > 0) where += fmt::format(":{}:{}", place.line, place.column);
  if (!where.empty()) where += ": ";
  if (!place.key.empty()) where += place.key + ": ";
  return where + message;
}

void fail(const Place& place, const std::string& message) {
  throw Error(describe(place, message), place);
}

}  // namespace ls
