#pragma once
#include "view/page_server.h"

namespace ls {

// Pictures of a run, as its page draws them: a browser without a window opens the page, which hands in frame after
// frame.
struct CaptureOptions {
  std::filesystem::path folder;
  std::size_t first = 0, last = 0, every = 1;  // frames
  std::string view, colour, theme;             // "x", "y", "z", "corner", or as the page chooses; …; "light", "dark"
  int width = 1280, height = 720;              // pixels
  bool plain = false;                          // without title, time and legend
  std::vector<PageFile> files;
  const std::atomic<int>* stop = nullptr;  // not 0: a signal asks to stop
};

// take: gets each picture, as a PNG file, in order. False: it was stopped. Throws Error where there is no browser,
// where the page fails, or where it says nothing for a minute and a half.
bool capture_frames(const CaptureOptions& options, const std::function<void(std::size_t, const std::string&)>& take);

// A program by one of its names, where the PATH has it; empty: it has none.
std::filesystem::path find_program(std::span<const char* const> names);
// The browser that takes pictures; throws Error (Fault::io) that says how to install one.
std::filesystem::path find_browser();

// A folder of its own that goes with the object, whatever is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Another program, in a process group of its own, which ends with the object.
class OtherProgram {
 public:
  // Its output goes to a file.
  OtherProgram(const std::vector<std::string>& arguments, const std::filesystem::path& output);
  ~OtherProgram();
  OtherProgram(const OtherProgram&) = delete;
  OtherProgram& operator=(const OtherProgram&) = delete;
  // Its exit code, once it has ended.
  std::optional<int> ended();

 private:
  int pid_ = -1;
  std::optional<int> code_;
};

}  // namespace ls
