#include "run/resume/leavings.h"

#include "base/error.h"
#include "output/folder/folder_lock.h"
#include "run/fields/field_files.h"
#include "run/fluid/fluid_files.h"
#include "run/frame_formats.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace ls {

namespace fs = std::filesystem;

namespace {

constexpr const char* single_files[] = {"scene.toml",   "picture.svg", checkpoint_file, checkpoint_before_file,
                                        "summary.json", "modes.csv",   "modes.svg"};

bool begins_with_digits(const std::string& text, std::size_t from, std::size_t least) {
  const std::size_t end = text.find_first_not_of("0123456789", from);
  return std::min(end, text.size()) >= from + least;
}

// "000012.vtp", "000012.slice0.h5.tmp"
bool is_frame_name(const std::string& name) {
  return begins_with_digits(name, 0, 6) && name.find('.') != std::string::npos;
}

// "mode-001.vtp", "vibration-003" with its moving frames
bool is_mode_name(const std::string& name) {
  for (const char* stem : {"mode-", "vibration-"})
    if (name.starts_with(stem) && begins_with_digits(name, std::string(stem).size(), 3)) return true;
  return false;
}

// A file and what a killed run left of its next version.
void remove_file(const fs::path& path) {
  std::error_code e;
  if (!fs::is_directory(path, e)) fs::remove(path, e);
  fs::remove(path.string() + ".tmp", e);
}

void remove_files(const fs::path& folder, bool (*is_ours)(const std::string& name)) {
  std::error_code e;
  std::vector<fs::path> ours;
  for (const auto& entry : fs::directory_iterator(folder, e))
    if (is_ours(entry.path().filename().string())) ours.push_back(entry.path());
  for (const fs::path& path : ours) {
    if (fs::is_directory(path, e))
      remove_files(path, [](const std::string& name) { return begins_with_digits(name, 0, 2); });
    else
      fs::remove(path, e);
  }
  fs::remove(folder, e);  // where nothing else is in it
}

}  // namespace

std::string probes_file(int number) {
  return number <= 1 ? "probes.csv" : fmt::format("probes-{}.csv", number);
}

std::string last_probes_file(const fs::path& folder) {
  std::error_code e;
  int last = 1;
  while (fs::exists(folder / probes_file(last + 1), e)) ++last;
  return probes_file(last);
}

bool is_empty_folder(const fs::path& folder) {
  std::error_code e;
  if (!fs::exists(folder, e)) return true;
  const auto entries = fs::directory_iterator(folder, e);
  return std::all_of(begin(entries), end(entries),
                     [](const auto& entry) { return entry.path().filename() == FolderLock::file_name; });
}

bool is_run_folder(const fs::path& folder) {
  std::ifstream in(folder / log_file, std::ios::binary);
  if (!in.is_open()) return false;
  std::string first;
  std::getline(in, first);
  return first.empty() || (first.front() == '{' && first.find("\"event\":") != std::string::npos);
}

void expect_run_folder(const fs::path& folder) {
  if (is_empty_folder(folder) || is_run_folder(folder)) return;
  throw Error(
      fmt::format("{}: is not empty, and what is in it is no run's: nothing of it is removed; give another --out",
                  folder.string()));
}

void clear_run_folder(const fs::path& folder) {
  for (const char* name : single_files) remove_file(folder / name);
  std::error_code e;
  for (int n = 1; n == 1 || fs::exists(folder / probes_file(n), e); ++n) remove_file(folder / probes_file(n));
  for (const FrameFiles& files : files_of_all_formats())
    for (const auto& names : {files.indices, files.appended})
      for (const std::string& name : names) remove_file(folder / name);
  for (const std::string& name : FluidFiles::names_in(folder)) remove_file(folder / name);
  for (const std::string& name : FieldFiles::names_in(folder)) remove_file(folder / name);
  for (const char* place : {frames_place, FluidFiles::place, FieldFiles::place})
    remove_files(folder / place, is_frame_name);
  remove_files(folder / "modes", is_mode_name);
  remove_file(folder / log_file);  // the last: by it the folder is known as that of a run, should this be interrupted
}

}  // namespace ls
