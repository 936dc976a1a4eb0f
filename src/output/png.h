#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ls {

// A picture of up to 256 colours as the bytes of a PNG file. pixels: [row from the top][column] numbers of colours.
// Nothing is compressed: it is for small ones that stand within another file.
std::string png_bytes(int width, int height, std::span<const std::array<std::uint8_t, 3>> colours,
                      std::span<const std::uint8_t> pixels);

std::string base64(const std::string& bytes);

}  // namespace ls
