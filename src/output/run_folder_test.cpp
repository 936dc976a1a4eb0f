#include "output/run_folder.h"

#include "base/error.h"
#include "output/files.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <vector>

namespace ls::run_folder_test {

namespace fs = std::filesystem;

class FolderOfARun : public testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::temp_directory_path() / ("lodestone_run_folder_" + std::to_string(::getpid()));
    fs::create_directories(path_ / "frames");
  }
  void TearDown() override { fs::remove_all(path_); }

  fs::path path_;
};

TEST_F(FolderOfARun, CountsWhatIsAppendedAndCutsItBack) {
  RunFolder before(path_);
  EXPECT_EQ(before.length("a.csv"), 0);
  before.append("a.csv", "12345");
  before.append("none.csv", "");
  const FileLengths known = before.lengths();
  EXPECT_EQ(known, (FileLengths{{"a.csv", 5}, {"none.csv", 0}}));
  before.append("a.csv", "678");
  before.append("none.csv", "9");
  before.append("later.csv", "10");

  RunFolder after(path_, known);
  for (const char* name : {"a.csv", "none.csv", "later.csv", "never.csv"}) after.cut_back(name);
  EXPECT_EQ(read_file(path_ / "a.csv"), "12345");
  EXPECT_EQ(read_file(path_ / "none.csv"), "");
  EXPECT_FALSE(fs::exists(path_ / "later.csv"));
  after.append("a.csv", "abc");
  EXPECT_EQ(after.length("a.csv"), 8);
}

TEST_F(FolderOfARun, AFileThatHasLostItsEndIsAnError) {
  write_atomically(path_ / "a.csv", "123");
  RunFolder folder(path_, {{"a.csv", 5}});
  EXPECT_THROW(folder.cut_back("a.csv"), Error);
}

TEST_F(FolderOfARun, KnowsWhichFilesWereChanged) {
  RunFolder before(path_);
  for (const char* name : {"a.csv", "b.csv"}) before.append(name, "time,x\n0,1\n");
  const FileLengths lengths = before.lengths();
  const std::vector<UsedFile> hashes = before.hashes();
  before.append("a.csv", "1,2\n");
  write_atomically(path_ / "b.csv", "time,x\n0,7\n1,2\n");
  RunFolder after(path_, lengths, hashes);
  for (const char* name : {"a.csv", "b.csv"}) after.cut_back(name);
  EXPECT_EQ(after.changed(), std::vector<std::string>{"b.csv"});
  after.append("a.csv", "1,2\n");  // and goes on as if nothing had been
  EXPECT_EQ(after.hashes()[0].hash, before.hashes()[0].hash);
}

TEST_F(FolderOfARun, DropsLaterFramesAndNothingElse) {
  const std::vector<std::string> gone{"frames/000002.vtp", "frames/000003.h5", "frames/000004.vtp.tmp"};
  const std::vector<std::string> kept{"frames/000000.vtp", "frames/000001.h5", "frames/000002.png",
                                      "frames/000006.vtp"};  // no run leaves a gap: that one is somebody's
  for (const auto* names : {&gone, &kept})
    for (const auto& name : *names) write_atomically(path_ / name, "x");
  RunFolder(path_).drop_frames("frames", 2, std::vector<std::string>{"vtp", "h5"});
  for (const auto& name : gone) EXPECT_FALSE(fs::exists(path_ / name)) << name;
  for (const auto& name : kept) EXPECT_TRUE(fs::exists(path_ / name)) << name;
}

}  // namespace ls::run_folder_test
