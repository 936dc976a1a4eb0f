#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace ls {

// Arrays for the page in one binary reply, which it looks at in place: "LSB1", the length of a head, the head (JSON:
// what was given, and under "arrays" the type, offset and length of each), then the arrays, each at a multiple of
// eight bytes from the start. Little endian, as typed arrays are wherever browsers run.
class Blob {
 public:
  explicit Blob(nlohmann::json head = nlohmann::json::object()) : head_(std::move(head)) {}

  nlohmann::json& head() { return head_; }
  void add(const std::string& name, std::span<const float> values) { add(name, "f32", std::as_bytes(values), 4); }
  void add(const std::string& name, std::span<const double> values) { add(name, "f64", std::as_bytes(values), 8); }
  void add(const std::string& name, std::span<const std::int32_t> values) {
    add(name, "i32", std::as_bytes(values), 4);
  }
  void add(const std::string& name, std::span<const std::uint8_t> values) { add(name, "u8", std::as_bytes(values), 1); }

  std::string bytes() const;

 private:
  void add(const std::string& name, const char* type, std::span<const std::byte> values, std::size_t size);

  nlohmann::json head_;
  std::string arrays_;
};

}  // namespace ls
