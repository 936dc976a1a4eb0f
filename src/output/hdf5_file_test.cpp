#include "output/hdf5_file.h"

#include "base/error.h"
#include "output/files.h"

#include <csignal>
#include <cstring>
#include <ctime>
#include <gtest/gtest.h>
#include <limits>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ls::hdf5_file_test {

namespace fs = std::filesystem;

class Hdf5 : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lodestone_hdf5_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

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

bool mentions(const std::string& message, const std::string& word) {
  return message.find(word) != std::string::npos;
}

const std::vector<double> reals{0.1, -0.0, 1e-310, std::numeric_limits<double>::infinity(), 1.0 / 3, 2e300};

void write_sample(const fs::path& path) {
  Hdf5File file = Hdf5File::create(path);
  file.write("node/position", reals, {2, 3});
  file.write("node/empty", std::vector<double>{}, {0, 3});
  file.write("count", std::vector<std::int32_t>{-1, std::numeric_limits<std::int32_t>::min()});
  file.write("deep/er/long", std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max()}, {1, 1});
  file.write("deep/er/byte", std::vector<std::uint8_t>{0, 255});
  file.make_group("none/in/it");
  file.set_attribute("", "title", "Stäbe & Fäden");
  file.set_attribute("", "blank", "");
  file.set_attribute("node", "step", 123456789012LL);
  file.set_attribute("node/position", "time", 0.1);
  file.close();
}

TEST_F(Hdf5, GivesBackEveryBit) {
  write_sample(folder_ / "a.h5");
  const Hdf5File file = Hdf5File::open(folder_ / "a.h5");
  const std::vector<double> back = file.read<double>("node/position");
  ASSERT_EQ(back.size(), reals.size());
  EXPECT_EQ(std::memcmp(back.data(), reals.data(), 8 * reals.size()), 0);
  EXPECT_EQ(file.shape("node/position"), (Hdf5File::Shape{2, 3}));
  EXPECT_EQ(file.shape("node/empty"), (Hdf5File::Shape{0, 3}));
  EXPECT_TRUE(file.read<double>("node/empty").empty());
  EXPECT_EQ(file.read<std::int32_t>("count")[1], std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(file.read<std::int64_t>("deep/er/long")[0], std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(file.read<std::uint8_t>("deep/er/byte")[1], 255);
  EXPECT_EQ(file.string_attribute("", "title"), "Stäbe & Fäden");
  EXPECT_EQ(file.string_attribute("/", "blank"), "");
  EXPECT_EQ(file.int_attribute("node", "step"), 123456789012);
  EXPECT_EQ(file.double_attribute("node/position", "time"), 0.1);
}

TEST_F(Hdf5, KnowsWhatIsThere) {
  write_sample(folder_ / "a.h5");
  const Hdf5File file = Hdf5File::open(folder_ / "a.h5");
  for (const char* name : {"", "/", "node", "/node", "node/position", "none/in/it"})
    EXPECT_TRUE(file.has(name)) << name;
  for (const char* name : {"x", "node/x", "x/y/z", "node/position/x"}) EXPECT_FALSE(file.has(name)) << name;
  EXPECT_EQ(file.names(""), (std::vector<std::string>{"count", "deep", "node", "none"}));
  EXPECT_EQ(file.names("deep/er"), (std::vector<std::string>{"byte", "long"}));
  EXPECT_TRUE(file.has_attribute("node", "step"));
  EXPECT_FALSE(file.has_attribute("node", "steps"));
  EXPECT_FALSE(file.has_attribute("nodes", "step"));
}

TEST_F(Hdf5, SameDataSameBytes) {
  write_sample(folder_ / "a.h5");
  // Time stamps count seconds: wait for the next one.
  for (const std::time_t start = std::time(nullptr); std::time(nullptr) == start;)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  write_sample(folder_ / "b.h5");
  EXPECT_EQ(read_file(folder_ / "a.h5"), read_file(folder_ / "b.h5"));
}

TEST_F(Hdf5, HoldsLongText) {
  const std::string scene(200000, 's');
  {
    Hdf5File file = Hdf5File::create(folder_ / "a.h5");
    file.set_attribute("", "scene", scene);
    file.close();
  }
  EXPECT_EQ(Hdf5File::open(folder_ / "a.h5").string_attribute("", "scene"), scene);
}

TEST_F(Hdf5, NamesFileAndObject) {
  const fs::path path = folder_ / "a.h5";
  write_sample(path);
  const Hdf5File file = Hdf5File::open(path);
  const std::string missing = message_of([&] { file.read<double>("node/speed"); });
  EXPECT_TRUE(mentions(missing, path.string()) && mentions(missing, "node/speed")) << missing;
  EXPECT_TRUE(mentions(message_of([&] { file.read<double>("count"); }), "64-bit floating"));
  EXPECT_TRUE(mentions(message_of([&] { file.read<std::int64_t>("count"); }), "64-bit integers"));
  EXPECT_TRUE(mentions(message_of([&] { file.read<double>("node"); }), "node"));
  EXPECT_TRUE(mentions(message_of([&] { (void)file.shape("nope"); }), "nope"));
  EXPECT_TRUE(mentions(message_of([&] { (void)file.names("count"); }), "count"));
  EXPECT_TRUE(mentions(message_of([&] { (void)file.int_attribute("node", "x"); }), "node@x"));
  EXPECT_TRUE(mentions(message_of([&] { (void)file.int_attribute("", "title"); }), "/@title"));
  EXPECT_TRUE(mentions(message_of([&] { (void)file.string_attribute("node", "step"); }), "text"));
}

TEST_F(Hdf5, RefusesBadWrites) {
  Hdf5File file = Hdf5File::create(folder_ / "a.h5");
  file.write("a", reals);
  EXPECT_TRUE(mentions(message_of([&] { file.write("a", reals); }), "a"));
  EXPECT_TRUE(mentions(message_of([&] { file.write("b", reals, {2, 2}); }), "shape"));
  EXPECT_TRUE(mentions(message_of([&] { file.write("a/below", reals); }), "a"));
  EXPECT_TRUE(mentions(message_of([&] { file.set_attribute("c", "x", 1); }), "c@x"));
  EXPECT_TRUE(mentions(message_of([&] { Hdf5File::create(folder_ / "no" / "b.h5"); }), "b.h5"));
  EXPECT_TRUE(mentions(message_of([&] { Hdf5File::create(folder_); }), folder_.string()));
}

TEST_F(Hdf5, RefusesForeignFiles) {
  EXPECT_TRUE(mentions(message_of([&] { Hdf5File::open(folder_ / "none.h5"); }), "No such file"));
  EXPECT_FALSE(message_of([&] { Hdf5File::open(folder_); }).empty());
  for (const std::string& bytes : {std::string(), std::string("hello"), std::string(5000, '\0')}) {
    write_atomically(folder_ / "foreign.h5", bytes);
    EXPECT_TRUE(mentions(message_of([&] { Hdf5File::open(folder_ / "foreign.h5"); }), "another kind"));
  }
}

// Reads all that write_sample wrote; an Error is a good answer to damage.
bool reads_all(const fs::path& path) {
  try {
    const Hdf5File file = Hdf5File::open(path);
    (void)file.read<double>("node/position");
    (void)file.read<double>("node/empty");
    (void)file.read<std::int32_t>("count");
    (void)file.read<std::int64_t>("deep/er/long");
    (void)file.read<std::uint8_t>("deep/er/byte");
    (void)file.string_attribute("", "title");
    (void)file.int_attribute("node", "step");
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST_F(Hdf5, SurvivesTruncation) {
  write_sample(folder_ / "a.h5");
  const std::string whole = read_file(folder_ / "a.h5");
  ASSERT_TRUE(reads_all(folder_ / "a.h5"));
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 16) {
    const fs::path cut = folder_ / "cut.h5";
    fs::remove(cut);
    append_to_file(cut, whole.substr(0, length));
    EXPECT_FALSE(reads_all(cut)) << length << " of " << whole.size();
  }
}

// In a process of its own: the library leaks in giving up on a damaged header, and this way a crash has a name.
TEST_F(Hdf5, SurvivesDamagedBytes) {
  write_sample(folder_ / "a.h5");
  const std::string whole = read_file(folder_ / "a.h5");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (std::size_t i = 0; i < whole.size(); i += 3) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ (i % 2 ? 0xff : 0x04));
      const fs::path bad = folder_ / "bad.h5";
      fs::remove(bad);
      append_to_file(bad, bytes);
      (void)reads_all(bad);  // either answer is fine: a byte of the data may have changed
    }
    ::_exit(0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A file system without room, simulated by the limit on file sizes.
TEST_F(Hdf5, ReportsAFullDisk) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 65536;
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = message_of([&] {
    AtomicPath atomic(folder_ / "a.h5");
    Hdf5File file = Hdf5File::create(atomic.temporary());
    file.write("x", std::vector<double>(100000, 1.5));
    file.close();
    atomic.commit();
  });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(mentions(message, "a.h5") && mentions(message, "cannot write")) << message;
  EXPECT_TRUE(fs::is_empty(folder_));
  write_sample(folder_ / "a.h5");  // and the library is still in its senses
  EXPECT_TRUE(reads_all(folder_ / "a.h5"));
}

TEST_F(Hdf5, MovesAndClosesOnce) {
  Hdf5File a = Hdf5File::create(folder_ / "a.h5");
  Hdf5File b = std::move(a);
  b.write("x", reals);
  a = std::move(b);
  a.close();
  a.close();
  EXPECT_TRUE(Hdf5File::open(folder_ / "a.h5").has("x"));
}

}  // namespace ls::hdf5_file_test
