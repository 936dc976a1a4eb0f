#pragma once
#include <concepts>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>

namespace ls {

// Edits (insert, delete, change a letter, swap two neighbours) that turn a into b; upper and lower case are the same
// letter, since "mpa" for "MPa" is the typing error we meet most. (Damerau–Levenshtein, no letter edited twice.)
int edit_distance(std::string_view a, std::string_view b);

// The most edits at which `word` still looks like a typing error of a candidate: a third of its letters, at least one,
// but never all of them (else every one-letter word would be near to every other).
int allowed_edits(std::string_view word);

// The candidate nearest to `word`, or "" where none is near. The first of equally near ones: put likely ones first.
template <std::ranges::input_range Candidates>
requires std::convertible_to<std::ranges::range_reference_t<Candidates>, std::string_view> std::string nearest(
    std::string_view word, const Candidates& candidates) {
  std::string best;
  int best_distance = allowed_edits(word) + 1;
  for (std::string_view candidate : candidates) {
    if (const int distance = edit_distance(word, candidate); distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}
inline std::string nearest(std::string_view word, std::initializer_list<std::string_view> candidates) {
  return nearest<std::initializer_list<std::string_view>>(word, candidates);
}

// "; did you mean `density`?", or "" where nothing is near: the tail of a message about an unknown word.
template <class Candidates>
std::string did_you_mean(std::string_view word, const Candidates& candidates) {
  const std::string found = nearest(word, candidates);
  return found.empty() ? "" : "; did you mean `" + found + "`?";
}

}  // namespace ls
