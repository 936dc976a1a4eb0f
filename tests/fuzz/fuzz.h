#pragma once
#include "base/error.h"

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

// What a target of libFuzzer is to do with one input: whatever it is, it is read, or refused by an Error. All else
// (another exception, a sanitizer's report, more than a second or 2 GB) is a fault.
namespace ls::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

template <class F>
void read_or_refuse(const F& read) {
  try {
    read();
  } catch (const Error& e) {
    if (std::string_view(e.what()).empty()) std::terminate();  // a refusal says why
  }
}

}  // namespace ls::fuzz
