#pragma once
#include <filesystem>
#include <string>

// What runs leave in their folders, by name: whoever clears a folder removes these and nothing else.
namespace ls {

inline constexpr const char* log_file = "log.jsonl";
inline constexpr const char* checkpoint_file = "checkpoint.h5";
inline constexpr const char* checkpoint_before_file = "checkpoint-before.h5";  // the one before the last

// "probes.csv", then "probes-2.csv", …: a run that goes on with other probes begins another table.
std::string probes_file(int number);
// The last of them that is there; the first where there is none.
std::string last_probes_file(const std::filesystem::path& folder);

// Missing, or without anything but the lock.
bool is_empty_folder(const std::filesystem::path& folder);
// A run began there: it has a log, which is begun before anything else is written, empty at first.
bool is_run_folder(const std::filesystem::path& folder);
// Throws Error unless a run may clear the folder: one of a run, or an empty one.
void expect_run_folder(const std::filesystem::path& folder);
// Removes what runs and `modes` leave there. Other files stay, also those in its folders.
void clear_run_folder(const std::filesystem::path& folder);

}  // namespace ls
