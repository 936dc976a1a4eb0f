#include "validation/plot.h"

#include "output/files.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation {

namespace {

constexpr double width = 500, left = 70, right = 488, plot_height = 240, line_height = 19, letter = 6.7;
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#a3508f", "#b8860b", "#56a0c9"};

// "2·10⁻⁵"
std::string power_of_ten(double factor, int exponent) {
  static constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string s = (factor == 1 ? "10" : fmt::format("{:g}·10", factor)) + (exponent < 0 ? "⁻" : "");
  for (const char digit : std::to_string(std::abs(exponent))) s += raised[digit - '0'];
  return s;
}

// Values to pixels. A log axis keeps the logarithms.
struct Axis {
  double low = INFINITY, high = -INFINITY, from = 0, to = 1;
  bool log = false;
  int power = 0;  // labels of a linear axis count in 10^power
  double place(double value) const { return log ? std::log10(value) : value; }
  bool shows(double value) const { return std::isfinite(place(value)); }
  std::string unit() const { return power == 0 ? "" : ", " + power_of_ten(1, power); }
  double pixel(double value) const { return from + (place(value) - low) / (high - low) * (to - from); }
};
struct Tick {
  double value;
  std::string label;
};

Axis axis(const Plot& plot, const std::vector<double> Series::*values, bool log, double from, double to) {
  Axis a;
  a.log = log, a.from = from, a.to = to;
  for (const auto& series : plot.series)
    for (const double value : series.*values)
      if (a.shows(value)) a.low = std::min(a.low, a.place(value)), a.high = std::max(a.high, a.place(value));
  if (!(a.low <= a.high)) a.low = 0, a.high = 1;
  if (a.high - a.low <= 1e-9 * std::abs(a.high)) {
    const double wide = log || a.high == 0 ? 0.5 : 0.05 * std::abs(a.high);
    a.low -= wide, a.high += wide;
  }
  const double size = std::max(std::abs(a.low), std::abs(a.high)), room = 0.03 * (a.high - a.low);
  if (!log && (size < 0.01 || size >= 1e5)) a.power = static_cast<int>(std::floor(std::log10(size)));
  if (!log || values == &Series::y) a.low -= room, a.high += room;
  return a;
}

std::vector<Tick> ticks(const Axis& a, int most) {
  std::vector<Tick> all;
  const double span = a.high - a.low;
  const int every = std::max(1, static_cast<int>(std::ceil(span / most)));
  for (int e = static_cast<int>(std::floor(a.low)); a.log && e <= a.high; ++e)
    for (const double m : {1.0, 2.0, 5.0})  // 2 and 5 where there are two decades at most
      if (const double v = m * std::pow(10.0, e);
          (m == 1 ? e % every == 0 : span <= 2) && a.place(v) >= a.low && a.place(v) <= a.high)
        all.push_back({v, std::abs(e) < 4 ? fmt::format("{:g}", v) : power_of_ten(m, e)});
  if (a.log) return all;
  const double rough = span / most, decade = std::pow(10.0, std::floor(std::log10(rough))), m = rough / decade;
  const double step = (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10) * decade, unit = std::pow(10.0, a.power);
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + 1e-9)));
  for (double k = std::ceil(a.low / step); k * step <= a.high; ++k)
    all.push_back({k * step, fmt::format("{:.{}f}", k * step / unit + 0.0, digits)});
  return all;
}

std::string text(double x, double y, const char* anchor, const std::string& words, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     xml_text(words));
}

std::string curve(const Series& s, const Axis& x, const Axis& y, const char* colour, double stroke) {
  std::string path, marks;
  const auto every = std::max<std::size_t>(1, s.x.size() / 40);
  bool pen_down = false;
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    const bool shown = x.shows(s.x[i]) && y.shows(s.y[i]);
    if (shown) path += fmt::format("{}{:.1f} {:.1f}", pen_down ? 'L' : 'M', x.pixel(s.x[i]), y.pixel(s.y[i]));
    if (shown && i % every == 0)
      marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\"/>", x.pixel(s.x[i]), y.pixel(s.y[i]));
    pen_down = shown;
  }
  return s.reference
             ? fmt::format("<g fill=\"none\" stroke=\"{}\" stroke-width=\"1.3\">{}</g>\n", colour, marks)
             : fmt::format(
                   "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>\n", path,
                   colour, stroke);
}

}  // namespace

std::string svg(const Plot& plot) {
  // The legend first: its lines push the plot down.
  std::string legend, curves;
  double at = left, row = 22 + line_height;
  int drawn[2] = {0, 0};
  std::vector<const char*> colour;
  for (const auto& s : plot.series) {
    colour.push_back(colours[static_cast<std::size_t>(drawn[s.reference]++) % std::size(colours)]);
    const double wide = 40 + letter * static_cast<double>(s.name.size());
    if (at > left && at + wide > width) at = left, row += line_height;
    Axis flat{0, 1, at, at + 22, false, 0}, level{0, 1, row - 4, row - 5, false, 0};
    legend +=
        curve(s.reference ? Series{"", {0.5}, {0}, true} : Series{"", {0, 1}, {0, 0}}, flat, level, colour.back(), 2);
    legend += text(at + 28, row, "start", s.name);
    at += wide;
  }
  const double top = row + 14, bottom = top + plot_height, height = bottom + 46;
  const Axis x = axis(plot, &Series::x, plot.log_x, left, right), y = axis(plot, &Series::y, plot.log_y, bottom, top);
  std::string grid;
  for (const auto& t : ticks(x, 7))
    grid += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#e4e4e0\"/>", x.pixel(t.value), top, bottom) +
            text(x.pixel(t.value), bottom + 17, "middle", t.label);
  for (const auto& t : ticks(y, 6))
    grid += fmt::format("<path d=\"M{1:.1f} {0:.1f}H{2:.1f}\" stroke=\"#e4e4e0\"/>", y.pixel(t.value), left, right) +
            text(left - 7, y.pixel(t.value) + 4, "end", t.label);
  for (std::size_t i = 0; i < plot.series.size(); ++i)  // earlier ones thicker, so that curves which agree all show
    curves += curve(plot.series[i], x, y, colour[i], std::max(1.2, 2.6 - 0.5 * static_cast<double>(i)));
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {:.0f}\" width=\"100%\" role=\"img\" "
             "font-family=\"system-ui,'Helvetica Neue',Arial,sans-serif\" font-size=\"13\" fill=\"#333\">\n",
             width, height) +
         text(left, 18, "start", plot.title, " font-size=\"14.5\" font-weight=\"600\"") + grid + legend +
         fmt::format("<path d=\"M{0} {1:.1f}V{2:.1f}H{3}\" fill=\"none\" stroke=\"#888\"/>\n", left, top, bottom,
                     right) +
         curves + text(0.5 * (left + right), bottom + 37, "middle", plot.x_label + x.unit()) +
         text(-0.5 * (top + bottom), 15, "middle", plot.y_label + y.unit(), " transform=\"rotate(-90)\"") + "</svg>\n";
}

}  // namespace ls::validation
