#pragma once
#include <string>
#include <string_view>

namespace ls::validation {

// The little Markdown that the pages of the cases use, as HTML: headings, paragraphs, lists with - or 1., tables with
// |, fenced code, and in a line `code`, *emphasis*, **strong** and [links](address). Markup in the text is escaped.
// first_level: the h of a single #.
std::string html_of_markdown(std::string_view text, int first_level);

}  // namespace ls::validation
