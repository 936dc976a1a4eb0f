#include "build/meshes/mesh_file.h"

#include "base/error.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string_view>

namespace ls {

namespace {

using V = Vec3<double>;
using Words = std::vector<std::string_view>;

[[noreturn]] void fail_at(const std::string& file, int line, const std::string& message) {
  throw Error(line > 0 ? fmt::format("{}:{}: {}", file, line, message) : fmt::format("{}: {}", file, message));
}

Words words_of(std::string_view line) {
  constexpr std::string_view blank = " \t\r\v\f";
  Words words;
  for (std::size_t i = line.find_first_not_of(blank); i != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blank, i), line.size());
    words.push_back(line.substr(i, end - i));
    i = line.find_first_not_of(blank, end);
  }
  return words;
}

// Calls visit(words, line number) for every line that is not empty. A backslash at its end joins a line to the next.
template <class Visit>
void for_each_line(const std::string& text, const Visit& visit) {
  int number = 0;
  for (std::size_t i = 0; i < text.size();) {
    std::string line;
    const int first = number + 1;
    for (bool more = true; more && i < text.size();) {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      line += text.substr(i, end - i);
      i = end + 1;
      ++number;
      while (!line.empty() && line.back() == '\r') line.pop_back();
      more = !line.empty() && line.back() == '\\';
      if (more) line.back() = ' ';
    }
    if (const std::size_t comment = line.find('#'); comment != std::string::npos) line.resize(comment);
    const Words words = words_of(line);
    if (!words.empty()) visit(words, first);
  }
}

double number(std::string_view word, const std::string& file, int line) {
  double value = 0;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (read.ec != std::errc() || read.ptr != word.data() + word.size() || !std::isfinite(value))
    fail_at(file, line, fmt::format("found \"{}\", expected a finite number", word));
  return value;
}

V point(const Words& words, const std::string& file, int line) {
  if (words.size() < 4) fail_at(file, line, "found a vertex with too few numbers, expected x, y and z");
  return {number(words[1], file, line), number(words[2], file, line), number(words[3], file, line)};
}

// "7", "7/2", "7//3" or "7/2/3": the first number counts, from 1, or backwards from the last vertex so far if negative.
int corner(std::string_view word, std::size_t vertices, const std::string& file, int line) {
  const std::string_view digits = word.substr(0, word.find('/'));
  long long index = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const auto count = static_cast<long long>(vertices);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || index == 0 || index < -count)
    fail_at(file, line, fmt::format("found the corner \"{}\", expected the number of a vertex", word));
  return static_cast<int>(
      std::min(index > 0 ? index - 1 : count + index, static_cast<long long>(std::numeric_limits<int>::max())));
}

bool ends_with(std::string text, const char* ending) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text.ends_with(ending);
}

std::string text_of(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr std::uintmax_t largest = 2ULL << 30;
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) fail_at(path, 0, "there is no such file");
  if (!fs::is_regular_file(status)) fail_at(path, 0, "this is no file that a mesh could be in");
  if (fs::file_size(path, error) > largest) fail_at(path, 0, "the file is too large for a mesh");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in || in.bad()) fail_at(path, 0, "the file is empty or can't be read");
  return std::move(text).str();
}

// Collects corners; those at the same place are one vertex.
class Welder {
 public:
  explicit Welder(Mesh& mesh) : mesh_(mesh) {}
  int vertex(const V& p) {
    const std::array<double, 3> key{p.x + 0.0, p.y + 0.0, p.z + 0.0};  // -0 and 0 are the same place
    const auto [at, is_new] = number_.try_emplace(key, static_cast<int>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back({key[0], key[1], key[2]});
    return at->second;
  }

 private:
  Mesh& mesh_;
  std::map<std::array<double, 3>, int> number_;
};

constexpr std::size_t stl_header = 84, stl_facet = 50;  // bytes; the last four of the header count the facets

std::uint32_t facets_in(const std::string& text) {
  std::uint32_t count = 0;
  std::memcpy(&count, text.data() + stl_header - sizeof count, sizeof count);
  return count;
}

// A text may begin with anything, and some binary files begin with "solid": their length tells them apart.
bool is_binary_stl(const std::string& text) {
  return text.size() >= stl_header && text.size() == stl_header + stl_facet * std::size_t{facets_in(text)};
}

Mesh read_binary_stl(const std::string& text, const std::string& file) {
  static_assert(std::endian::native == std::endian::little, "numbers of the file are little-endian");
  Mesh mesh;
  Welder weld(mesh);
  for (std::uint32_t t = 0; t < facets_in(text); ++t) {
    float p[9];
    std::memcpy(p, text.data() + stl_header + stl_facet * t + 12, sizeof p);  // a normal of 12 bytes comes first
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const V at{p[3 * k], p[3 * k + 1], p[3 * k + 2]};
      if (!std::isfinite(at.x) || !std::isfinite(at.y) || !std::isfinite(at.z))
        fail_at(file, 0, fmt::format("triangle {} (counted from 0) has a corner that is not finite", t));
      corners[k] = weld.vertex(at);
    }
    mesh.triangles.push_back(corners);
  }
  return mesh;
}

Mesh read_text_stl(const std::string& text, const std::string& file) {
  Mesh mesh;
  Welder weld(mesh);
  std::vector<int> corners;
  bool in_facet = false;
  int last_line = 0;
  for_each_line(text, [&](const Words& words, int line) {
    last_line = line;
    if (words[0] == "facet") {
      if (in_facet) fail_at(file, line, "found \"facet\" inside a facet, expected \"endfacet\" before it");
      in_facet = true;
    } else if (words[0] == "vertex") {
      if (!in_facet) fail_at(file, line, "found \"vertex\" outside a facet");
      corners.push_back(weld.vertex(point(words, file, line)));
    } else if (words[0] == "endfacet") {
      if (!in_facet || corners.size() != 3)
        fail_at(file, line, fmt::format("found a facet of {} vertices, expected 3", corners.size()));
      mesh.triangles.push_back({corners[0], corners[1], corners[2]});
      corners.clear();
      in_facet = false;
    } else if (words[0] != "solid" && words[0] != "outer" && words[0] != "endloop" && words[0] != "endsolid") {
      fail_at(file, line, fmt::format("found \"{}\", which no STL file has; or the file was cut short", words[0]));
    }
  });
  if (in_facet) fail_at(file, last_line, "the file ends within a facet");
  return mesh;
}

}  // namespace

Mesh read_obj(const std::string& text, const std::string& file) {
  struct Face {
    std::vector<int> corners;
    int line;
  };
  Mesh mesh;
  std::vector<Face> faces;
  for_each_line(text, [&](const Words& words, int line) {
    if (words[0] == "v") {
      mesh.vertices.push_back(point(words, file, line));
    } else if (words[0] == "f") {
      if (words.size() < 4) fail_at(file, line, "found a face with too few corners, expected at least 3");
      faces.push_back({{}, line});
      for (std::size_t k = 1; k < words.size(); ++k)
        faces.back().corners.push_back(corner(words[k], mesh.vertices.size(), file, line));
    }  // normals, textures, groups, materials: not for us
  });
  for (const Face& face : faces) {  // which may stand before their vertices
    for (const int v : face.corners)
      if (v >= static_cast<int>(mesh.vertices.size()))
        fail_at(file, face.line, fmt::format("found vertex {}, but there are {}", v + 1LL, mesh.vertices.size()));
    const auto triangles = triangulated(face.corners, mesh.vertices);
    if (triangles.empty())
      fail_at(file, face.line,
              "found a face that crosses or touches itself, or has no area: expected a simple polygon");
    mesh.triangles.insert(mesh.triangles.end(), triangles.begin(), triangles.end());
  }
  if (mesh.triangles.empty()) fail_at(file, 0, "found no faces (lines \"f …\") in it");
  return without_loose_vertices(mesh);
}

Mesh read_stl(const std::string& text, const std::string& file) {
  const bool binary = is_binary_stl(text);
  if (!binary && text.find("facet") == std::string::npos)
    fail_at(file, 0, "this is no STL file, or it was cut short: neither text nor as long as its header says");
  Mesh mesh = binary ? read_binary_stl(text, file) : read_text_stl(text, file);
  if (mesh.triangles.empty()) fail_at(file, 0, "found no facets in it");
  return mesh;
}

Mesh read_mesh(const std::string& path) {
  if (ends_with(path, ".obj")) return read_obj(text_of(path), path);
  if (ends_with(path, ".stl")) return read_stl(text_of(path), path);
  fail_at(path, 0, "expected a mesh in a file that ends with .obj or .stl");
}

}  // namespace ls
