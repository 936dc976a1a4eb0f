#include "output/folder/folder_lock.h"

#include "base/error.h"
#include "output/files.h"

#include <csignal>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

namespace ls::folder_lock_test {

namespace fs = std::filesystem;

class Locks : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string refusal() const {
    try {
      const FolderLock second(folder_);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::io);
      return error.what();
    }
    return "";
  }

  const fs::path folder_ = fs::temp_directory_path() / ("lodestone_lock_" + std::to_string(::getpid()));
};

TEST_F(Locks, OneAtATimeAndTheOtherIsToldWho) {
  std::optional<FolderLock> first(folder_);
  const std::string text = refusal(), pid = std::to_string(::getpid());
  EXPECT_NE(text.find("is being written by process " + pid + " on "), std::string::npos) << text;
  EXPECT_NE(text.find(" since 20"), std::string::npos) << text;
  EXPECT_TRUE(holder_of(folder_).starts_with("process " + pid)) << holder_of(folder_);
  write_atomically(folder_ / "result", "");
  first.reset();
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(holder_of(folder_), "");
  EXPECT_FALSE(fs::exists(folder_ / FolderLock::file_name));
  EXPECT_TRUE(fs::exists(folder_ / "result"));
}

TEST_F(Locks, AFolderThatStaysEmptyGoes) {
  { const FolderLock lock(folder_); }
  EXPECT_FALSE(fs::exists(folder_));
  fs::create_directories(folder_);
  { const FolderLock lock(folder_); }
  EXPECT_TRUE(fs::exists(folder_));
}

TEST_F(Locks, EndsWithItsProcessHoweverThatEnds) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = std::make_unique<FolderLock>(folder_);
    if (write(ready[1], "x", 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char c;
  ASSERT_EQ(read(ready[0], &c, 1), 1);
  EXPECT_NE(refusal().find("process " + std::to_string(child)), std::string::npos) << refusal();
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(folder_ / FolderLock::file_name));  // what is left of it locks nothing
  EXPECT_EQ(holder_of(folder_), "");
  EXPECT_EQ(refusal(), "");
  close(ready[0]), close(ready[1]);
}

// Whoever waits for the file that the holder removes must not end up with a lock on a file without a name.
TEST_F(Locks, ManyProcessesNeverTwoAtOnce) {
  fs::create_directories(folder_);
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      int bad = 0;
      for (int n = 0; n < 200; ++n) try {
          const FolderLock lock(folder_);
          bad += !fs::create_directory(folder_ / "mine");  // false: another one is there
          bad += !fs::remove(folder_ / "mine");
        } catch (const Error&) {
        }
      _exit(bad > 0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace ls::folder_lock_test
