#pragma once
#include "base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace ls {

enum class TokenKind {
  number,
  word,
  open,
  close,
  comma,
  plus,
  minus,
  times,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  both,
  either,
  invert,
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // what it means, which for "²" is not what stands there
  std::size_t begin = 0;  // bytes of the source
  std::size_t end = 0;
  bool space_before = false;
};

// The text of an expression and where it stands; it makes the errors.
class Source {
 public:
  Source(std::string_view text, const Place& place) : text_(text), place_(place) {}

  std::string_view text() const { return text_; }
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;
  // The part [begin, end) in quotes, shortened, and without bytes that would upset a terminal or a log.
  std::string quote(std::size_t begin, std::size_t end) const;

 private:
  std::string_view text_;
  Place place_;
};

// The last token is always an `end`.
std::vector<Token> tokens_of(const Source& source);

// Bytes of the UTF-8 character at text[i]; 0 where there is none.
std::size_t character_length(std::string_view text, std::size_t i);

}  // namespace ls
