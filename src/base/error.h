#pragma once
#include <stdexcept>
#include <string>

namespace ls {

// Why a run can't go on. The value is the exit code of the program.
enum class Fault { input = 2, numerics = 3, io = 4 };

// Where in a scene file a value stands. line and column count from 1; 0 = unknown (a value from the command line).
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string key;  // dotted: "rod.beam.bonds"
};

// Thrown at the boundary: bad input, a file that can't be written. what() is the whole message for the user.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Fault fault = Fault::input) : std::runtime_error(message), fault_(fault) {}
  Error(const std::string& message, Place place) : std::runtime_error(message), place_(std::move(place)) {}
  Fault fault() const { return fault_; }
  const Place& place() const { return place_; }  // of bad input in a scene; else empty

 private:
  Fault fault_ = Fault::input;
  Place place_;
};

// "scene.toml:12:9: rod.beam.bonds: found -3, expected a whole number of at least 1"
std::string describe(const Place& place, const std::string& message);

[[noreturn]] void fail(const Place& place, const std::string& message);

}  // namespace ls
