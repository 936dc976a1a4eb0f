#include "scene/toml_text.h"

#include <bit>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace ls::toml_text_test {

bool same(const TomlValue& a, const TomlValue& b) {
  if (a.value.index() != b.value.index()) return false;
  if (const auto* d = std::get_if<double>(&a.value))
    return std::bit_cast<std::uint64_t>(*d) == std::bit_cast<std::uint64_t>(std::get<double>(b.value));
  if (const auto* i = std::get_if<long long>(&a.value)) return *i == std::get<long long>(b.value);
  if (const auto* t = std::get_if<bool>(&a.value)) return *t == std::get<bool>(b.value);
  if (a.text()) return *a.text() == *b.text();
  if (a.list()) return std::ranges::equal(*a.list(), *b.list(), same);
  if (!a.table()) return true;
  if (a.table()->size() != b.table()->size()) return false;
  for (std::size_t k = 0; k < a.table()->size(); ++k) {
    const TomlEntry& one = (*a.table())[k];
    const TomlEntry* other = b.find(one.key);
    if (!other || !same(one.value, other->value)) return false;
  }
  return true;
}

TomlValue with(TomlValue value) {
  TomlValue root;
  root.value = TomlValue::Entries{{"value", 0, 0, std::move(value)}};
  return root;
}

TEST(TomlText, OfEverySceneReadsBackAsTheSameValues) {
  int scenes = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(LODESTONE_SOURCE_DIR) / "scenes")) {
    if (file.path().extension() != ".toml") continue;
    std::ifstream in(file.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const TomlValue tree = parse_toml(text, "scene.toml");
    EXPECT_TRUE(same(tree, parse_toml(toml_text(tree), "again.toml"))) << file.path() << "\n" << toml_text(tree);
    ++scenes;
  }
  EXPECT_GT(scenes, 20);
}

TEST(TomlText, KeepsEveryBitOfNumbers) {
  std::mt19937_64 random(1);
  std::vector<double> numbers{0.0,
                              -0.0,
                              1e300,
                              -1e-300,
                              5e-324,
                              1.0,
                              1e15,
                              1e16,
                              1e17,
                              0.1,
                              1 / 3.0,
                              std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::max()};
  while (numbers.size() < 2000)
    if (const auto d = std::bit_cast<double>(random()); std::isfinite(d)) numbers.push_back(d);
  TomlValue list;
  list.value = TomlValue::List{};
  for (const double d : numbers) list.list()->emplace_back().value = d;
  list.list()->emplace_back().value = std::numeric_limits<long long>::min();
  list.list()->emplace_back().value = std::numeric_limits<long long>::max();
  list.list()->emplace_back().value = true;
  const TomlValue tree = with(list);
  EXPECT_TRUE(same(tree, parse_toml(toml_text(tree), "scene.toml")));
}

TEST(TomlText, QuotesWhatNeedsIt) {
  TomlValue text;
  text.value = std::string("a \"quoted\" \\ line\nand a tab\t, \x01, µm and ''' ");
  TomlValue root = with(text);
  TomlValue inner;
  inner.value = TomlValue::Entries{{"a key. with dots", 0, 0, text}, {"", 0, 0, text}, {"plain-1", 0, 0, text}};
  root.table()->push_back({"a [table]", 0, 0, inner});
  TomlValue list;
  list.value = TomlValue::List{inner, inner};
  root.table()->push_back({"list", 0, 0, list});
  list.list()->push_back(text);  // no list of tables alone: written on one line
  root.table()->push_back({"mixed", 0, 0, list});
  TomlValue empty;
  empty.value = TomlValue::Entries{};
  root.table()->push_back({"empty", 0, 0, empty});
  empty.value = TomlValue::List{};
  root.table()->push_back({"nothing", 0, 0, empty});
  EXPECT_TRUE(same(root, parse_toml(toml_text(root), "scene.toml"))) << toml_text(root);
}

TEST(TomlText, KeepsTheOrderOfKeys) {
  const std::string text = "[define]\nb = 1\na = \"2*b\"\n\n[material.z]\nyoung = 1.0\n\n[material.y]\nyoung = 2.0\n";
  EXPECT_EQ(toml_text(parse_toml(text, "scene.toml")), "\n" + text);
}

}  // namespace ls::toml_text_test
