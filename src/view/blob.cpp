#include "view/blob.h"

#include <bit>

namespace ls {

static_assert(std::endian::native == std::endian::little);

void Blob::add(const std::string& name, const char* type, std::span<const std::byte> values, std::size_t size) {
  head_["arrays"][name] = {{"type", type}, {"offset", arrays_.size()}, {"length", values.size() / size}};
  if (!values.empty()) arrays_.append(reinterpret_cast<const char*>(values.data()), values.size());
  arrays_.resize((arrays_.size() + 7) / 8 * 8);
}

std::string Blob::bytes() const {
  std::string head = head_.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  head.resize((head.size() + 7) / 8 * 8, ' ');
  const auto length = static_cast<std::uint32_t>(head.size());
  std::string out = "LSB1";
  out.append(reinterpret_cast<const char*>(&length), 4);
  return out + head + arrays_;
}

}  // namespace ls
