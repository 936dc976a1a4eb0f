#include "language/expression_tokens.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace ls {

namespace {

struct Fixed {
  std::string_view text;
  TokenKind kind;
};
// Longer ones first.
constexpr Fixed symbols[] = {
    {"<=", TokenKind::less_equal}, {">=", TokenKind::greater_equal}, {"==", TokenKind::equal},
    {"!=", TokenKind::not_equal},  {"&&", TokenKind::both},          {"||", TokenKind::either},
    {"(", TokenKind::open},        {")", TokenKind::close},          {",", TokenKind::comma},
    {"+", TokenKind::plus},        {"-", TokenKind::minus},          {"−", TokenKind::minus},
    {"*", TokenKind::times},       {"·", TokenKind::times},          {"×", TokenKind::times},
    {"/", TokenKind::divide},      {"^", TokenKind::power},          {"<", TokenKind::less},
    {">", TokenKind::greater},     {"!", TokenKind::invert},         {"%", TokenKind::word},
};
constexpr Fixed keywords[] = {{"and", TokenKind::both}, {"or", TokenKind::either}, {"not", TokenKind::invert}};
struct Superscript {
  std::string_view text, digit;
};
constexpr Superscript superscripts[] = {{"²", "2"}, {"³", "3"}};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Lexer {
 public:
  explicit Lexer(const Source& source) : source_(source), text_(source.text()) {}

  std::vector<Token> all() {
    while (skip_space(), at_ < text_.size()) take();
    add(TokenKind::end, 0);
    return std::move(tokens_);
  }

 private:
  bool starts_with(std::string_view s) const { return text_.substr(at_).starts_with(s); }

  void skip_space() {
    for (; at_ < text_.size() && is_space(text_[at_]); ++at_) spaced_ = true;
  }

  void add(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, text_.substr(at_, length), at_, at_ + length, spaced_});
    at_ += length;
    spaced_ = false;
  }

  void take() {
    const bool fraction = text_[at_] == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
    if (is_digit(text_[at_]) || fraction) return add(TokenKind::number, number_length());
    if (starts_with("**")) source_.fail(at_, "found **, expected ^ for a power");
    for (const Superscript& s : superscripts) {
      if (starts_with(s.text)) return take_superscript(s);
    }
    for (const Fixed& s : symbols) {
      if (starts_with(s.text)) return add(s.kind, s.text.size());
    }
    if (const std::size_t length = word_length()) return take_word(length);
    refuse();
  }

  // "²" is a power and a number.
  void take_superscript(const Superscript& s) {
    add(TokenKind::power, s.text.size());
    Token digit = tokens_.back();
    digit.kind = TokenKind::number;
    digit.text = s.digit;
    digit.space_before = false;
    tokens_.push_back(digit);
  }

  void take_word(std::size_t length) {
    const std::string_view word = text_.substr(at_, length);
    for (const Fixed& k : keywords) {
      if (word == k.text) return add(k.kind, length);
    }
    add(TokenKind::word, length);
  }

  std::size_t number_length() const {
    double value = 0;
    const char* begin = text_.data() + at_;
    // Also where it is out of range: whoever takes the value says so.
    return static_cast<std::size_t>(std::from_chars(begin, text_.data() + text_.size(), value).ptr - begin);
  }

  // Letters, digits and _; then also ".x" and "[17]" as in the names of recorded quantities. 0 where no word starts.
  std::size_t word_length() const {
    std::size_t i = at_;
    const auto byte = [&](std::size_t k) { return k < text_.size() ? text_[k] : '\0'; };
    while (i < text_.size()) {
      const bool inside = i > at_;
      const bool is_dot = inside && text_[i] == '.' && is_letter(byte(i + 1));
      if (is_letter(text_[i]) || (inside && is_digit(text_[i])) || is_dot) {
        ++i;
      } else if (const std::size_t n = inside && text_[i] == '[' ? index_length(i) : 0) {
        i += n;
      } else if (const std::size_t m = foreign_letter(i)) {
        i += m;
      } else {
        break;
      }
    }
    return i - at_;
  }

  // "[17]", or "[*]" for any
  std::size_t index_length(std::size_t i) const {
    if (text_.substr(i, 3) == "[*]") return 3;
    std::size_t k = i + 1;
    while (k < text_.size() && is_digit(text_[k])) ++k;
    return k > i + 1 && k < text_.size() && text_[k] == ']' ? k + 1 - i : 0;
  }

  // Any character beyond ASCII that is not an operator, so that µm, ° and λ are words.
  std::size_t foreign_letter(std::size_t i) const {
    const std::size_t length = character_length(text_, i);
    if (length < 2) return 0;
    const std::string_view rest = text_.substr(i);
    for (const Fixed& s : symbols) {
      if (rest.starts_with(s.text)) return 0;
    }
    for (const Superscript& s : superscripts) {
      if (rest.starts_with(s.text)) return 0;
    }
    return length;
  }

  [[noreturn]] void refuse() const {
    if (starts_with("=")) source_.fail(at_, "found =, expected == to compare");
    if (starts_with("&")) source_.fail(at_, "found &, expected && or and");
    if (starts_with("|")) source_.fail(at_, "found |, expected || or or");
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (c > ' ' && c < 0x7f) source_.fail(at_, fmt::format("unexpected character {}", text_[at_]));
    source_.fail(at_, fmt::format("unexpected byte 0x{:02x}", c));
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  bool spaced_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

std::size_t character_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(i), second = byte(i + 1);
  if (first < 0x80) return i < text.size() ? 1 : 0;
  // Overlong forms, surrogates and numbers past the last character are no UTF-8: the JSON writer would refuse them.
  const bool refused = first < 0xc2 || first > 0xf4 || (first == 0xe0 && second < 0xa0) ||
                       (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
                       (first == 0xf4 && second > 0x8f);
  if (refused) return 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  }
  return length;
}

std::string Source::quote(std::size_t begin, std::size_t end) const {
  constexpr std::size_t longest = 60;
  std::string quoted = "\"";
  for (std::size_t i = begin, taken = 0; i < end && i < text_.size(); ++taken) {
    if (taken == longest) {
      quoted += "...";
      break;
    }
    const std::size_t length = character_length(text_, i);
    const unsigned char first = static_cast<unsigned char>(text_[i]);
    if (length == 0 || first < ' ' || first == 0x7f) {
      quoted += is_space(text_[i]) ? ' ' : '?';
    } else {
      quoted += text_.substr(i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return quoted + '"';
}

void Source::fail(std::size_t offset, const std::string& message) const {
  // Columns count characters, not bytes.
  int characters = 0;
  for (std::size_t i = 0; i < offset && i < text_.size(); ++i) {
    if ((static_cast<unsigned char>(text_[i]) & 0xc0) != 0x80) ++characters;
  }
  Place place = place_;
  place.column += characters + 1;
  // Without a line (a value from the command line) nothing else would say where.
  const bool shown = place.line > 0;
  ls::fail(place,
           shown ? message : message + fmt::format(" (character {} of {})", characters + 1, quote(0, text_.size())));
}

std::vector<Token> tokens_of(const Source& source) {
  return Lexer(source).all();
}

}  // namespace ls
