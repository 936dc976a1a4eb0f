#include "tests/program.h"

#include <regex>

// Files of the code that a page names are there. (Links, scenes and commands: tools/check_docs.py.)
namespace ls::program::docs_test {

const fs::path source = LODESTONE_SOURCE_DIR;

std::vector<fs::path> pages() {
  std::vector<fs::path> all = {source / "README.md", source / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(source / "docs"))
    if (entry.path().extension() == ".md") all.push_back(entry.path());
  return all;
}

// Calls visit with the first group of every match.
template <class Visit>
void for_each_match(const std::string& text, const char* pattern, const Visit& visit) {
  const std::regex regex(pattern);
  for (std::sregex_iterator found(text.begin(), text.end(), regex), none; found != none; ++found) visit(found->str(1));
}

TEST(Docs, FilesOfTheCodeAreWhereTheyAreSaidToBe) {
  for (const fs::path& page : pages())
    for_each_match(contents(page), R"(`([a-z0-9_]+/[a-z0-9_/]+\.(h|cpp))`)", [&](const std::string& file) {
      EXPECT_TRUE(fs::exists(source / file) || fs::exists(source / "src" / file)) << page << ": " << file;
    });
}

}  // namespace ls::program::docs_test
