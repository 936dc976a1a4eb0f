#include "picture/picture_parts.h"

#include "output/files.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::drawing {
namespace {

constexpr const char* ink = "#20272e";
constexpr const char* grey = "#6b7680";
constexpr double left_margin = 46, right_margin = page_width - 30;
constexpr std::size_t most_arrows = 40;
constexpr double longest_arrow = 30;  // [pixel]

std::string text(const Point& at, double size, const char* anchor, const char* colour, const std::string& words,
                 const char* more = "") {
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", px(at.x),
                     px(at.y), px(size), anchor, colour, more, xml_text(words));
}

// From tail along (x, y) on paper, with a halo so that it reads on top of a rod.
std::string arrow(const Point& tail, double x, double y, const char* colour) {
  const double length = std::hypot(x, y), ux = x / length, uy = y / length;
  const double head = std::min(7.0, 0.6 * length), half = 0.42 * head;
  const Point tip{tail.x + x, tail.y + y}, neck{tip.x - head * ux, tip.y - head * uy};
  const std::string triangle = fmt::format("M{} {}L{} {}L{} {}Z", px(tip.x), px(tip.y), px(neck.x - half * uy),
                                           px(neck.y + half * ux), px(neck.x + half * uy), px(neck.y - half * ux));
  return stroke(line(tail, neck) + triangle, "#ffffff", 3.6, " stroke-linejoin=\"round\" stroke-opacity=\"0.85\"") +
         stroke(line(tail, neck), colour, 1.5) + fmt::format("<path d=\"{}\" fill=\"{}\"/>\n", triangle, colour);
}

// A vector along the line of sight: the point of an arrow that comes, the feathers of one that goes.
std::string end_on(const Point& at, bool toward, const char* colour) {
  std::string out = circle(at, 5.2, "#ffffff") +
                    fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"4\" stroke=\"{}\" stroke-width=\"1.3\"/>\n", px(at.x),
                                px(at.y), colour);
  if (toward) return out + circle(at, 1.5, colour);
  const double d = 2.6;
  return out +
         stroke(line({at.x - d, at.y - d}, {at.x + d, at.y + d}) + line({at.x - d, at.y + d}, {at.x + d, at.y - d}),
                colour, 1.2);
}

// Nodes no nearer to each other on paper than a distance that grows until few enough are left.
std::vector<std::size_t> uncrowded(const Snapshot& s, const std::vector<std::size_t>& nodes, const Paper& paper) {
  for (double distance = longest_arrow + 4;; distance *= 1.3) {
    std::vector<std::size_t> kept;
    std::vector<Point> places;
    for (const std::size_t node : nodes) {
      const Point p = paper.at(s.position[node]);
      const auto close = [&](const Point& q) { return std::hypot(p.x - q.x, p.y - q.y) < distance; };
      if (std::any_of(places.begin(), places.end(), close)) continue;
      kept.push_back(node);
      places.push_back(p);
      if (kept.size() > most_arrows) break;
    }
    if (kept.size() <= most_arrows) return kept;
  }
}

std::size_t letters(const std::string& utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string first_letters(const std::string& utf8, std::size_t count) {
  std::size_t end = 0;
  while (end < utf8.size() && (count > 0 || (static_cast<unsigned char>(utf8[end]) & 0xc0) == 0x80))
    if ((static_cast<unsigned char>(utf8[end++]) & 0xc0) != 0x80) --count;
  return utf8.substr(0, end);
}

}  // namespace

std::string px(double value) {
  if (!std::isfinite(value)) value = 0;
  return fmt::format("{}", std::round(std::clamp(value, -1e5, 1e5) * 100) / 100 + 0.0);
}

std::string line(const Point& a, const Point& b) {
  return fmt::format("M{} {}L{} {}", px(a.x), px(a.y), px(b.x), px(b.y));
}

std::string circle(const Point& centre, double radius, const std::string& fill) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", px(centre.x), px(centre.y), px(radius),
                     fill);
}

std::string stroke(const std::string& path, const std::string& colour, double width, const char* more) {
  return fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", path, colour, px(width), more);
}

std::string moment_arrows(const Snapshot& s, const std::vector<std::size_t>& nodes, const Paper& paper) {
  if (s.moment.size() != s.position.size()) return {};
  double largest = 0;
  for (const std::size_t node : nodes)
    if (const double m = norm(s.moment[node]); std::isfinite(m)) largest = std::max(largest, m);
  if (largest <= 1e-100) return {};
  std::vector<std::size_t> magnetic;
  for (const std::size_t node : nodes)
    if (const double m = norm(s.moment[node]); m > 0.02 * largest && m <= largest) magnetic.push_back(node);

  std::string out = "<g fill=\"none\">\n";
  for (const std::size_t node : uncrowded(s, magnetic, paper)) {
    const Vec& m = s.moment[node];
    const double unit = longest_arrow / largest;
    const double x = unit * dot(m, paper.view().right), y = -unit * dot(m, paper.view().up);
    const Point at = paper.at(s.position[node]);
    out += std::hypot(x, y) > 6 ? arrow(at, x, y, moment_colour)
                                : end_on(at, dot(m, paper.view().toward) > 0, moment_colour);
  }
  return out + "</g>\n";
}

std::string heading(const std::string& title, const Snapshot& s) {
  constexpr std::size_t roomy = 58, most = 92;
  const std::string shown = letters(title) > most ? first_letters(title, most - 1) + "…" : title;
  const double size =
      20.0 * std::min(1.0, static_cast<double>(roomy) / static_cast<double>(std::max(letters(shown), roomy)));
  std::string out = text({left_margin, 44}, size, "start", ink, shown, " font-weight=\"600\"");
  const std::string time = std::isfinite(s.time) ? "t = " + with_prefix(s.time, "s") : "t unknown";
  out += text({right_margin, 42}, 15, "end", ink, time);
  const std::string stage = letters(s.stage) > 24 ? first_letters(s.stage, 23) + "…" : s.stage;
  out +=
      text({right_margin, 60}, 11.5, "end", grey, (stage.empty() ? "" : stage + ", ") + fmt::format("step {}", s.step));
  return out;
}

std::string colour_bar(const std::string& label, const std::string& unit, double low, double high,
                       const std::function<Colour(double)>& colour) {
  constexpr double left = page_width - 84, wide = 13, top = 190, bottom = 430;
  constexpr int stops = 20;
  std::string out = "<defs><linearGradient id=\"scale\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">\n";
  for (int i = 0; i <= stops; ++i) {
    const double share = static_cast<double>(i) / stops;
    out += fmt::format("<stop offset=\"{}\" stop-color=\"{}\"/>", share, hex(colour(share)));
  }
  out += fmt::format(
      "\n</linearGradient></defs>\n<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" "
      "fill=\"url(#scale)\"/>\n",
      left, top, wide, bottom - top);
  const double range = high - low, step = round_below(range / 3.2);
  for (int i = static_cast<int>(std::ceil(low / step - 1e-9)); i * step <= high * (1 + 1e-9); ++i) {
    const double y = bottom - (i * step - low) / range * (bottom - top);
    out += stroke(line({left + wide, y}, {left + wide + 4, y}), grey, 1);
    out += text({left + wide + 8, y + 4}, 12, "start", ink, fmt::format("{:.6g}", i * step));
  }
  const double middle = left + wide / 2;
  out += text({middle, top - 28}, 12.5, "middle", ink, label);
  return out + text({middle, top - 12}, 12, "middle", grey, unit);
}

std::string scale_bar(const Paper& paper) {
  const double metres = round_below(170 / paper.scale()), length = metres * paper.scale(), y = page_height - 44;
  const double right = left_margin + length;
  return stroke(line({left_margin, y - 4}, {left_margin, y + 4}) + line({left_margin, y}, {right, y}) +
                    line({right, y - 4}, {right, y + 4}),
                ink, 1.6, " fill=\"none\"") +
         text({left_margin + length / 2, y + 20}, 13, "middle", ink, with_prefix(metres, "m"));
}

std::string axes_triad(const View& view) {
  constexpr const char* colours[] = {"#c23b3b", "#2f8f4e", "#2b62b8"};
  constexpr const char* names[] = {"x", "y", "z"};
  constexpr double size = 34;
  const Point origin{page_width - 76, page_height - 56};
  std::array<int, 3> order{0, 1, 2};  // far to near
  std::sort(order.begin(), order.end(), [&](int i, int j) { return view.toward[i] < view.toward[j]; });
  std::string out = "<g fill=\"none\">\n";
  for (const int k : order) {
    const double x = size * view.right[k], y = -size * view.up[k], length = std::hypot(x, y);
    const bool is_end_on = length < 6;
    out += is_end_on ? end_on(origin, view.toward[k] > 0, colours[k]) : arrow(origin, x, y, colours[k]);
    const Point label = is_end_on ? Point{-11, 11} : Point{x * (1 + 9 / length), y * (1 + 9 / length)};
    out += text({origin.x + label.x, origin.y + label.y + 4}, 13, "middle", colours[k], names[k]);
  }
  return out + "</g>\n";
}

std::string legend(const Legend& shown) {
  double x = 300;
  const double y = page_height - 44;
  std::string out = "<g fill=\"none\">\n";
  const auto entry = [&](const std::string& sample, const char* words, double width) {
    out += sample + text({x + 36, y + 4}, 12, "start", grey, words);
    x += width;
  };
  if (shown.moments) entry(arrow({x, y}, 28, 0, moment_colour), "magnetic moment", 165);
  if (shown.first) entry(stroke(line({x, y}, {x + 28, y}), pale, 6, " stroke-linecap=\"round\""), "start", 90);
  if (shown.broken)
    entry(stroke(line({x, y}, {x + 28, y}), broken_colour, 2.2, " stroke-dasharray=\"4 3\""), "broken", 100);
  if (shown.field) entry(stroke(line({x, y}, {x + 28, y}), field_colour, 1), "magnetic field", 0);
  return out + "</g>\n";
}

}  // namespace ls::drawing
