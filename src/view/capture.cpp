#include "view/capture.h"

#include "base/error.h"
#include "output/files.h"

#include <fmt/format.h>

namespace ls {

namespace {

constexpr double patience = 90;  // s, for the next picture

// Pictures as they come in, until somebody takes them.
class Tray {
 public:
  void put(std::size_t number, std::string picture) {
    const std::lock_guard lock(mutex_);
    pictures_[number] = std::move(picture);
    come_.notify_all();
  }
  std::optional<std::string> wait_for(std::size_t number, std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    come_.wait_for(lock, time, [&] { return !pictures_.empty(); });
    const auto found = pictures_.find(number);
    if (found != pictures_.end()) {
      std::string picture = std::move(found->second);
      pictures_.erase(found);
      return picture;
    }
    if (!pictures_.empty())
      throw Error("the page could not draw: " + pictures_.begin()->second.substr(0, 300), Fault::io);
    return std::nullopt;
  }

 private:
  std::mutex mutex_;
  std::condition_variable come_;
  std::map<std::size_t, std::string> pictures_;
};

bool is_png(const std::string& bytes) {
  return bytes.starts_with("\x89PNG\r\n\x1a\n");
}

std::string tail_of(const std::filesystem::path& log) {
  std::error_code e;
  if (!std::filesystem::exists(log, e)) return "";
  const std::string text = read_file(log);
  return text.size() > 500 ? text.substr(text.size() - 500) : text;
}

std::string query_of(const CaptureOptions& o) {
  std::string query = fmt::format("&shot={}:{}:{}&size={}x{}&theme={}", o.first, o.last, o.every, o.width, o.height,
                                  o.theme.empty() ? "light" : o.theme);
  if (!o.view.empty()) query += "&view=" + o.view;
  if (!o.colour.empty()) query += "&colour=" + o.colour;
  if (o.plain) query += "&plain=1";
  return query;
}

}  // namespace

bool capture_frames(const CaptureOptions& o, const std::function<void(std::size_t, const std::string&)>& take) {
  const std::filesystem::path browser = find_browser();
  const TemporaryFolder own;
  Tray tray;
  PageOptions page;
  page.files = o.files;
  page.token = random_token();
  page.query = query_of(o);
  page.shot = [&tray](std::size_t number, std::string picture) { tray.put(number, std::move(picture)); };
  PageServer server(o.folder, std::move(page));
  // In software, since a machine without a screen often has no driver: pictures are the same everywhere then.
  OtherProgram chromium(
      {browser.string(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
       "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
       "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars",
       "--user-data-dir=" + (own.path() / "profile").string(), server.address()},
      own.path() / "log");
  const std::size_t count = (o.last - o.first) / o.every + 1;
  for (std::size_t k = 0; k < count; ++k) {
    std::optional<std::string> picture;
    for (double waited = 0; !picture; waited += 0.1) {
      if (o.stop && o.stop->load() != 0) return false;
      picture = tray.wait_for(k, std::chrono::milliseconds(100));
      if (picture) break;
      if (const auto code = chromium.ended())
        throw Error(fmt::format("{} ended with {}: {}", browser.string(), *code, tail_of(own.path() / "log")),
                    Fault::io);
      if (waited > patience)
        throw Error(fmt::format("the page drew no picture in {} s: {}", patience, tail_of(own.path() / "log")),
                    Fault::io);
    }
    if (!is_png(*picture)) throw Error("the page could not draw: " + picture->substr(0, 300), Fault::io);
    take(k, *picture);
  }
  return true;
}

}  // namespace ls
