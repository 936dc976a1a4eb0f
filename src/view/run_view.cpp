#include "view/run_view.h"

#include "base/error.h"
#include "output/files.h"
#include "output/folder/folder_lock.h"
#include "output/frame_writer.h"
#include "run/fields/field_files.h"
#include "run/fluid/fluid_files.h"
#include "run/resume/leavings.h"
#include "view/grid_blobs.h"
#include "view/probe_blob.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace ls {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_marked = 200'000;  // nodes and bonds: frames of larger models are not looked through

nlohmann::json parsed(const std::string& text) {
  nlohmann::json j = nlohmann::json::parse(text, nullptr, false);
  return j.is_object() ? j : nlohmann::json::object();
}

template <class T>
T value_or(const nlohmann::json& j, const char* key, T otherwise) {
  const auto found = j.find(key);
  if (found == j.end()) return otherwise;
  if constexpr (std::is_same_v<T, std::string>)
    return found->is_string() ? found->get<T>() : otherwise;
  else
    return found->is_number() ? found->get<T>() : otherwise;
}

bool is_end(const std::string& event) {
  constexpr const char* ends[] = {"done", "lost stability", "interrupted", "out of time", "diverged"};
  return std::ranges::find(ends, event) != std::end(ends);
}

}  // namespace

std::string living_writer(const fs::path& folder) {
  std::error_code e;
  if (!fs::is_regular_file(folder / FolderLock::file_name, e)) return "";
  std::string text;
  try {
    text = read_file(folder / FolderLock::file_name);
  } catch (const Error&) {
    return "";  // gone by now
  }
  int pid = 0;
  char host[256] = {}, here[256] = {};
  if (std::sscanf(text.c_str(), "process %d on %255s", &pid, host) != 2 || pid <= 0) return "";
  ::gethostname(here, sizeof here - 1);
  text = text.substr(0, text.find('\n'));
  if (std::string(host) != here) return text;
  return ::kill(pid, 0) == 0 || errno == EPERM ? text : "";
}

RunView::RunView(fs::path folder) : folder_(std::move(folder)) {
  std::error_code e;
  if (!fs::is_directory(folder_, e)) throw Error(folder_.string() + ": no such folder; give the --out of a run");
  if (!is_run_folder(folder_) || fs::is_empty(folder_, e))
    throw Error(folder_.string() + ": holds no log.jsonl of a run: not the folder of a run");
  folder_ = fs::canonical(folder_);
  look();
}

fs::path RunView::inside(const std::string& name) const {
  std::error_code e;
  fs::path path = fs::canonical(folder_ / name, e);
  if (e) throw Error(name + ": is not there");
  const auto [end, rest] = std::mismatch(folder_.begin(), folder_.end(), path.begin(), path.end());
  if (end != folder_.end()) throw Error(name + ": leads out of the folder");
  if (!fs::is_regular_file(path, e)) throw Error(name + ": is no file");
  return path;
}

bool RunView::has(const std::string& name) const {
  std::error_code e;
  return fs::is_regular_file(folder_ / name, e);
}

Hdf5File RunView::open_frame(std::size_t number) const {
  if (number >= frames_.size()) throw Error(fmt::format("there is no frame {}: there are {}", number, frames_.size()));
  return Hdf5File::open(inside(frame_name(frames_place, number, "h5")));
}

const ViewOrigin& RunView::origin() {
  if (!has_origin_ && !frames_.empty()) {
    origin_ = view_origin(open_frame(0));
    has_origin_ = true;
  }
  return origin_;
}

bool RunView::look() {
  const std::lock_guard lock(mutex_);
  bool is_new = look_at_log();
  is_new = look_at_frames() || is_new;
  is_new = look_at_grids(FluidFiles::place, fluid_times_, fluid_kinds_) || is_new;
  is_new = look_at_grids(FieldFiles::place, field_times_, field_kinds_) || is_new;
  const std::string writer = living_writer(folder_);
  is_new = is_new || writer != writer_;
  writer_ = writer;
  return is_new;
}

// Events of the run. The log of a run that was begun afresh, or went on from an earlier state, is read anew.
bool RunView::look_at_log() {
  std::error_code e;
  const auto length = fs::file_size(folder_ / log_file, e);
  if (e || length == log_length_) return false;
  log_length_ = length;
  const std::string text = read_file(inside(log_file));
  events_ = nlohmann::json::array();
  last_word_.clear();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const nlohmann::json line = parsed(text.substr(at, end - at));
    at = end + 1;
    const std::string event = value_or<std::string>(line, "event", "");
    last_word_ = is_end(event) ? event : "";
    if (event == "started") {
      title_ = value_or<std::string>(line, "title", "");
      duration_ = value_or(line, "duration", 0.0);
      gravity_ = line.value("gravity", nlohmann::json());
    } else if (line.contains("time") && !is_end(event)) {
      const std::string name = value_or<std::string>(line, "name", "");
      events_.push_back({{"kind", event},
                         {"time", line["time"]},
                         {"step", value_or(line, "step", 0.0)},
                         {"text", value_or<std::string>(line, "text", name)},
                         {"name", name}});
    }
  }
  return true;
}

// Frames come one after the other, each whole or not at all. After a while of looking the rest is for the next look.
bool RunView::look_at_frames() {
  using Wall = std::chrono::steady_clock;
  const auto end = Wall::now() + std::chrono::milliseconds(300);
  std::error_code e;
  const auto name = [](std::size_t n) { return frame_name(frames_place, n, "h5"); };
  const auto written = fs::last_write_time(folder_ / name(0), e);
  bool is_new = false;
  if (!frames_.empty() && (e || written != first_written_ || !has(name(frames_.size() - 1)))) {
    frames_.clear();
    ++generation_;
    has_origin_ = false;
    marks_.clear();
    broken_ = 0;
    touches_ = false;
    is_new = true;
  }
  first_written_ = written;
  while (Wall::now() < end && has(name(frames_.size()))) {
    look_at_frame(name(frames_.size()));
    is_new = true;
  }
  return is_new;
}

// One that can't be read keeps its number, with the time of the one before: the others can still be looked at.
void RunView::look_at_frame(const std::string& name) {
  Frame frame = frames_.empty() ? Frame() : frames_.back();
  try {
    const Hdf5File f = Hdf5File::open(inside(name));
    frame = {f.double_attribute("", "time"), f.int_attribute("", "step")};
    add_marks(f, frame);
  } catch (const Error&) {  // whoever asks for it is told
  }
  frames_.push_back(frame);
}

// What the log does not tell: first contact, and bonds that broke between two frames.
void RunView::add_marks(const Hdf5File& f, const Frame& frame) {
  if (f.shape("node/contacts")[0] + f.shape("bond/broken")[0] > most_marked) return;
  const auto mark = [&](const char* kind, const std::string& text) {
    marks_.push_back({{"kind", kind}, {"time", frame.time}, {"step", frame.step}, {"text", text}, {"name", ""}});
  };
  const auto broken = f.read<std::uint8_t>("bond/broken");
  const auto now = static_cast<long long>(std::ranges::count_if(broken, [](std::uint8_t b) { return b != 0; }));
  if (now > broken_) mark("fracture", fmt::format("{} more broken bonds, {} in all", now - broken_, now));
  broken_ = now;
  const auto contacts = f.read<double>("node/contacts");
  const bool touches = std::ranges::any_of(contacts, [](double c) { return c > 0; });
  if (touches && !touches_) mark("contact", "bodies touch");
  touches_ = touches;
}

bool RunView::look_at_grids(const char* place, std::vector<Frame>& times, Kinds& kinds) const {
  std::error_code e;
  if (kinds.empty() && fs::is_directory(folder_ / place, e)) {
    for (const auto& entry : fs::directory_iterator(folder_ / place, e)) {
      const std::string file = entry.path().filename().string();
      if (file.starts_with("000000.") && file.ends_with("h5")) kinds.push_back(file.substr(7));
    }
    std::ranges::sort(kinds);
  }
  if (kinds.empty()) return false;
  const std::size_t before = times.size();
  const auto name = [&](std::size_t n) { return frame_name(place, n, kinds.front()); };
  if (!times.empty() && !has(name(times.size() - 1))) times.clear();
  while (has(name(times.size()))) {
    const Hdf5File f = Hdf5File::open(inside(name(times.size())));
    times.push_back({f.double_attribute("", "time"), f.has_attribute("", "step") ? f.int_attribute("", "step") : 0});
  }
  return times.size() != before;
}

bool RunView::goes_by_steps() const {
  return duration_ == 0 && !frames_.empty() && frames_.back().time == 0;
}

std::vector<double> RunView::clock_of(const std::vector<Frame>& frames) const {
  std::vector<double> clock(frames.size());
  const bool by_steps = goes_by_steps();
  std::ranges::transform(frames, clock.begin(),
                         [&](const Frame& f) { return by_steps ? static_cast<double>(f.step) : f.time; });
  return clock;
}

nlohmann::json RunView::grids() const {
  nlohmann::json j;
  if (!fluid_times_.empty()) {
    const Hdf5File f = Hdf5File::open(inside(frame_name(FluidFiles::place, 0, fluid_kinds_.front())));
    j["fluid"] = {
        {"times", clock_of(fluid_times_)}, {"kinds", fluid_kinds_}, {"cells", f.read<std::int32_t>("grid/cells")}};
  }
  if (!field_times_.empty()) j["field"] = {{"times", clock_of(field_times_)}, {"kinds", field_kinds_}};
  return j;
}

nlohmann::json RunView::about() {
  const std::lock_guard lock(mutex_);
  nlohmann::json j = grids();
  nlohmann::json summary = nlohmann::json::object();
  try {
    if (has("summary.json")) summary = parsed(read_file(inside("summary.json")));
  } catch (const Error&) {  // it is being replaced
  }
  j["folder"] = folder_.filename().string();
  j["title"] = title_.empty() ? value_or<std::string>(summary, "title", folder_.filename().string()) : title_;
  j["running"] = !writer_.empty();
  j["status"] = !writer_.empty() ? "running" : last_word_.empty() ? "stopped" : last_word_;
  j["message"] = value_or<std::string>(summary, "message", "");
  j["duration"] = duration_;
  j["gravity"] = gravity_;
  j["generation"] = generation_;
  j["clock"] = goes_by_steps() ? "step" : "time";
  j["events"] = events_;
  j["events"].insert(j["events"].end(), marks_.begin(), marks_.end());
  for (nlohmann::json& event : j["events"]) event["at"] = event[j["clock"].get<std::string>()];
  j["times"] = clock_of(shown());
  j["solids"] = !frames_.empty();
  for (const char* key : {"energy", "ledger", "energy_balance", "wall_seconds", "nodes", "bonds"})
    if (summary.contains(key)) j["summary"][key] = summary[key];
  for (const ViewColour& c : view_colours()) j["colours"].push_back({{"name", c.name}, {"unit", c.unit}});
  j["probes"] = has(last_probes_file(folder_));
  return j;
}

std::size_t RunView::frames() {
  const std::lock_guard lock(mutex_);
  return shown().size();
}

// A fluid alone has no frames of solids, and is shown by its own.
const std::vector<RunView::Frame>& RunView::shown() const {
  if (!frames_.empty()) return frames_;
  return fluid_times_.empty() ? field_times_ : fluid_times_;
}

std::string RunView::model() {
  const std::lock_guard lock(mutex_);
  return model_blob(open_frame(0)).bytes();
}

std::string RunView::frame(std::size_t number, const std::string& colour) {
  const std::lock_guard lock(mutex_);
  Blob blob = frame_blob(open_frame(number), origin(), colour);
  blob.head()["number"] = number;
  return blob.bytes();
}

std::string RunView::probes(std::size_t first_row) {
  return probe_blob(inside(last_probes_file(folder_)), first_row).bytes();
}

nlohmann::json RunView::node(std::size_t node, std::size_t frame) {
  const std::lock_guard lock(mutex_);
  return node_values(open_frame(frame), node);
}

std::string RunView::track(std::size_t node) {
  const std::lock_guard lock(mutex_);
  std::array<std::vector<double>, 7> columns;
  for (std::size_t n = 0; n < frames_.size(); ++n) {
    const auto row = node_row(open_frame(n), node);
    for (std::size_t c = 0; c < row.size(); ++c) columns[c].push_back(row[c]);
  }
  Blob blob(nlohmann::json{{"node", node}});
  blob.add("clock", clock_of(frames_));
  for (std::size_t c = 0; c < columns.size(); ++c) blob.add(node_row_names[c], columns[c]);
  return blob.bytes();
}

std::string RunView::fluid(std::size_t number, int slice, int axis, int cell) {
  const std::lock_guard lock(mutex_);
  if (number >= fluid_times_.size()) throw Error(fmt::format("there is no frame {} of the fluid", number));
  const std::string kind = slice < 0 ? "h5" : fmt::format("slice{}.h5", slice);
  const Hdf5File f = Hdf5File::open(inside(frame_name(FluidFiles::place, number, kind)));
  return fluid_slice(f, origin(), axis, cell).bytes();
}

std::string RunView::field(std::size_t number, const std::string& grid) {
  const std::lock_guard lock(mutex_);
  const std::string kind = grid + ".h5";
  if (number >= field_times_.size() || std::ranges::find(field_kinds_, kind) == field_kinds_.end())
    throw Error(fmt::format("there is no frame {} of the field at {}", number, grid));
  return field_slice(Hdf5File::open(inside(frame_name(FieldFiles::place, number, kind))), origin()).bytes();
}

}  // namespace ls
