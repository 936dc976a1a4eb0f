#include "output/png.h"

#include <algorithm>
#include <cassert>

namespace ls {

namespace {

std::string big_endian(std::uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xff);
  return out;
}

// CRC-32 of the PNG specification, annex D.
std::uint32_t crc(const std::string& bytes) {
  std::uint32_t c = 0xffffffff;
  for (const char byte : bytes) {
    c ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xedb88320 ^ (c >> 1) : c >> 1;
  }
  return c ^ 0xffffffff;
}

std::string chunk(const std::string& name, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + name + data + big_endian(crc(name + data));
}

// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4).
std::string stored(const std::string& bytes) {
  constexpr std::size_t largest = 65535;
  std::string out = "\x78\x01";
  for (std::size_t at = 0; at == 0 || at < bytes.size(); at += largest) {
    const std::size_t length = std::min(largest, bytes.size() - at);
    const bool is_last = at + length == bytes.size();
    const auto n = static_cast<std::uint16_t>(length), inverse = static_cast<std::uint16_t>(~n);
    out += static_cast<char>(is_last ? 1 : 0);
    for (const std::uint16_t word : {n, inverse}) {
      out += static_cast<char>(word & 0xff);
      out += static_cast<char>(word >> 8);
    }
    out += bytes.substr(at, length);
  }
  std::uint32_t a = 1, b = 0;  // Adler-32
  for (const char byte : bytes) {
    a = (a + static_cast<std::uint8_t>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return out + big_endian((b << 16) | a);
}

}  // namespace

std::string png_bytes(int width, int height, std::span<const std::array<std::uint8_t, 3>> colours,
                      std::span<const std::uint8_t> pixels) {
  assert(pixels.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height) && colours.size() <= 256);
  std::string palette, rows;
  for (const auto& c : colours)
    for (const std::uint8_t part : c) palette += static_cast<char>(part);
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    rows += '\0';  // no filter
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x)
      rows += static_cast<char>(pixels[y * static_cast<std::size_t>(width) + x]);
  }
  const std::string kind{8, 3, 0, 0, 0};  // 8 bits, by palette
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR",
               big_endian(static_cast<std::uint32_t>(width)) + big_endian(static_cast<std::uint32_t>(height)) + kind) +
         chunk("PLTE", palette) + chunk("IDAT", stored(rows)) + chunk("IEND", "");
}

std::string base64(const std::string& bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = (three << 8) | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? letters[(three >> (18 - 6 * k)) & 63] : '=';
  }
  return out;
}

}  // namespace ls
