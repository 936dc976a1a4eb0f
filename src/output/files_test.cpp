#include "output/files.h"

#include "base/error.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace ls::files_test {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lodestone_files_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  int entries() const {
    return static_cast<int>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::io);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST_F(Files, WritesReplacesAndLeavesNothingElse) {
  const fs::path path = folder_ / "a.bin";
  const std::string bytes("one\0two\r\n", 9);
  write_atomically(path, bytes);
  EXPECT_EQ(read_file(path), bytes);
  write_atomically(path, "");
  EXPECT_EQ(read_file(path), "");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, TakesOverWhatAKilledRunLeft) {
  write_atomically(folder_ / "a.tmp", std::string(1000, 'x'));
  write_atomically(folder_ / "a", "short");
  EXPECT_EQ(read_file(folder_ / "a"), "short");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, NamesThePathAndTheReason) {
  const fs::path missing = folder_ / "no" / "such.txt";
  EXPECT_NE(message_of([&] { write_atomically(missing, "x"); }).find("such.txt"), std::string::npos);
  EXPECT_EQ(message_of([&] { read_file(missing); }), missing.string() + ": cannot read: No such file or directory");
  EXPECT_NE(message_of([&] { read_file(folder_); }).find("directory"), std::string::npos);
  EXPECT_NE(message_of([&] { append_to_file(missing, "x"); }).find("such.txt"), std::string::npos);
  write_atomically(folder_ / "file", "x");
  EXPECT_NE(message_of([&] { make_folder(folder_ / "file" / "sub"); }).find("sub"), std::string::npos);
}

TEST_F(Files, AFailedRenameRemovesTheTemporary) {
  const fs::path taken = folder_ / "taken";
  fs::create_directories(taken / "full");
  EXPECT_FALSE(message_of([&] { write_atomically(taken, "x"); }).empty());
  EXPECT_TRUE(fs::is_directory(taken));
  EXPECT_EQ(entries(), 1);
}

// A file system without room, simulated by the limit on file sizes.
TEST_F(Files, AFailedWriteKeepsTheOldFile) {
  const fs::path path = folder_ / "a";
  write_atomically(path, "old");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 4096;
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = message_of([&] { write_atomically(path, std::string(100000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find("cannot write"), std::string::npos);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, AtomicPathVanishesWithoutCommit) {
  {
    AtomicPath atomic(folder_ / "b.h5");
    EXPECT_EQ(atomic.temporary().parent_path(), folder_);
    append_to_file(atomic.temporary(), "half");
  }
  EXPECT_EQ(entries(), 0);
  AtomicPath atomic(folder_ / "b.h5");
  EXPECT_FALSE(message_of([&] { atomic.commit(); }).empty());  // nobody wrote it
  append_to_file(atomic.temporary(), "whole");
  atomic.commit();
  EXPECT_EQ(read_file(folder_ / "b.h5"), "whole");
}

TEST_F(Files, AppendsAndCuts) {
  const fs::path path = folder_ / "probes.csv";
  append_to_file(path, "one\n");
  append_to_file(path, "two\n");
  EXPECT_EQ(read_file(path), "one\ntwo\n");
  cut_file(path, 4);
  EXPECT_EQ(read_file(path), "one\n");
  EXPECT_NE(message_of([&] { cut_file(path, 5); }).find("has 4 bytes"), std::string::npos);
  EXPECT_FALSE(message_of([&] { cut_file(folder_ / "none", 0); }).empty());
}

TEST_F(Files, MakesFolders) {
  make_folder(folder_ / "a" / "b");
  make_folder(folder_ / "a" / "b");
  EXPECT_TRUE(fs::is_directory(folder_ / "a" / "b"));
}

TEST(XmlText, EscapesMarkupAndKeepsUtf8) {
  EXPECT_EQ(xml_text("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;");
  EXPECT_EQ(xml_text("µm → 𝛼"), "µm → 𝛼");
}

TEST(XmlText, ReplacesWhatXmlCannotHold) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(xml_text(std::string("a\0b\x01\tc", 6)), "a" + bad + "b" + bad + "\tc");
  EXPECT_EQ(xml_text("\xff\xc0\xaf"), bad + bad + bad);            // never valid; an overlong slash
  EXPECT_EQ(xml_text("\xe2\x82"), bad + bad);                      // cut short
  EXPECT_EQ(xml_text("\xed\xa0\x80"), bad);                        // half a surrogate pair
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), bad);                        // U+FFFF
  EXPECT_EQ(xml_text("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // above U+10FFFF
}

TEST_F(Files, GrowBeforeTheirEnd) {
  EXPECT_FALSE(insert_before_end(folder_ / "index", "a", "</end>"));
  write_atomically(folder_ / "index", "<begin></end>");
  EXPECT_TRUE(insert_before_end(folder_ / "index", "one", "</end>"));
  EXPECT_TRUE(insert_before_end(folder_ / "index", "two", "</end>"));
  EXPECT_EQ(read_file(folder_ / "index"), "<begin>onetwo</end>");
  write_atomically(folder_ / "index", "<begin>on");  // as a kill may leave it
  EXPECT_FALSE(insert_before_end(folder_ / "index", "two", "</end>"));
  EXPECT_EQ(read_file(folder_ / "index"), "<begin>on");
}

}  // namespace ls::files_test
