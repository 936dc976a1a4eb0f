#include "apps/commands.h"
#include "apps/page_files.h"
#include "base/error.h"
#include "output/files.h"
#include "view/capture.h"

#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace ls::app {

namespace {

namespace fs = std::filesystem;

std::atomic<int> signal_to_stop{0};
extern "C" void stop_drawing(int signal) {
  signal_to_stop = signal;
}

struct DrawArguments {
  std::string folder, out, view, colour, theme = "light", size = "1280x720";
  long long frame = -1, from = 0, to = -1, every = 1;
  double rate = 25;
  bool plain = false, quiet = false;
};

void add_look(CLI::App& c, DrawArguments& o) {
  c.add_option("folder", o.folder, "The --out of a run")->required();
  c.add_option("--view", o.view, "Seen along x, y or z, or from a corner (default: what shows most)")
      ->check(CLI::IsMember({"x", "y", "z", "corner"}));
  std::vector<std::string> colours;
  for (const ViewColour& colour : view_colours()) colours.emplace_back(colour.name);
  c.add_option("--colour", o.colour, "Coloured by (default: energy)")->check(CLI::IsMember(colours));
  c.add_option("--theme", o.theme, "light or dark (default: light)")->check(CLI::IsMember({"light", "dark"}));
  c.add_option("--size", o.size, "Pixels (default: 1280x720)");
  c.add_flag("--plain", o.plain, "Without title, time and legend");
  c.add_flag("--quiet", o.quiet, "Print nothing but errors");
}

std::size_t frame_number(const char* option, long long given, std::size_t frames) {
  if (frames == 0) throw Error("the run has no HDF5 frames to draw: output.formats of the scene has \"hdf5\" for them");
  const long long number = given < 0 ? static_cast<long long>(frames) + given : given;
  if (number < 0 || number >= static_cast<long long>(frames))
    throw Error(fmt::format("{} {}: there are {} frames, from 0 to {} (or -1, the last, and back from there)", option,
                            given, frames, frames - 1));
  return static_cast<std::size_t>(number);
}

CaptureOptions captured(const DrawArguments& o) {
  CaptureOptions c;
  c.folder = o.folder;
  c.files = page_files();
  c.view = o.view;
  c.colour = o.colour;
  c.theme = o.theme;
  c.plain = o.plain;
  c.stop = &signal_to_stop;
  char rest = 0;
  if (std::sscanf(o.size.c_str(), "%dx%d%c", &c.width, &c.height, &rest) != 2 || c.width < 64 || c.height < 64 ||
      c.width > 4096 || c.height > 4096)
    throw Error(fmt::format("--size {}: expected WIDTHxHEIGHT, from 64 to 4096 each: 1280x720", o.size));
  return c;
}

void heed_signals() {
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) std::signal(s, stop_drawing);
}

int draw_picture(const DrawArguments& o) {
  if (fs::path(o.out).extension() != ".png") throw Error(o.out + ": a picture is a .png file");
  CaptureOptions c = captured(o);
  c.first = c.last = frame_number("--frame", o.frame, RunView(o.folder).frames());
  heed_signals();
  const bool is_whole = capture_frames(c, [&](std::size_t, const std::string& png) { write_atomically(o.out, png); });
  if (!is_whole) return 128 + signal_to_stop;
  if (!o.quiet) std::printf("%s\n", o.out.c_str());
  return 0;
}

// What ffmpeg is told for each kind of film.
std::vector<std::string> coding(const std::string& ending) {
  if (ending == ".mp4")
    return {"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-preset", "medium", "-movflags", "+faststart"};
  if (ending == ".webm") return {"-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "30", "-b:v", "0"};
  if (ending == ".webp") return {"-c:v", "libwebp_anim", "-loop", "0", "-quality", "70", "-compression_level", "6"};
  if (ending == ".gif")
    return {"-filter_complex", "split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none"};
  return {};
}

fs::path find_ffmpeg() {
  constexpr const char* names[] = {"ffmpeg"};
  const fs::path path = find_program(names);
  if (path.empty())
    throw Error("films are put together by ffmpeg, which is not there: apt-get install ffmpeg", Fault::io);
  return path;
}

// False: it was stopped.
bool encode(const fs::path& ffmpeg, const fs::path& pictures, const DrawArguments& o) {
  const fs::path ending = fs::path(o.out).extension();
  AtomicPath target(o.out);
  const fs::path film = pictures / ("film" + ending.string());
  std::vector<std::string> arguments{ffmpeg.string(),
                                     "-y",
                                     "-loglevel",
                                     "error",
                                     "-framerate",
                                     fmt::format("{}", o.rate),
                                     "-i",
                                     (pictures / "%06d.png").string()};
  for (const std::string& word : coding(ending.string())) arguments.push_back(word);
  arguments.push_back(film.string());
  OtherProgram program(arguments, pictures / "log");
  while (!program.ended()) {
    if (signal_to_stop != 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  if (*program.ended() != 0)
    throw Error(fmt::format("{}: ffmpeg failed: {}", o.out, read_file(pictures / "log")), Fault::io);
  std::error_code e;
  fs::copy_file(film, target.temporary(), fs::copy_options::overwrite_existing, e);
  if (e) throw Error(fmt::format("{}: cannot write: {}", o.out, e.message()), Fault::io);
  target.commit();
  return true;
}

int draw_film(const DrawArguments& o) {
  if (coding(fs::path(o.out).extension().string()).empty())
    throw Error(o.out + ": a film is a .mp4, .webm, .gif or .webp file");
  const fs::path ffmpeg = find_ffmpeg();
  CaptureOptions c = captured(o);
  c.width -= c.width % 2;  // what most codecs ask for
  c.height -= c.height % 2;
  const std::size_t frames = RunView(o.folder).frames();
  c.first = frame_number("--from", o.from, frames);
  c.last = frame_number("--to", o.to, frames);
  c.every = static_cast<std::size_t>(o.every);
  if (c.last < c.first) throw Error("--to is before --from");
  heed_signals();
  const TemporaryFolder own;
  const std::size_t count = (c.last - c.first) / c.every + 1;
  const bool shows = !o.quiet && isatty(STDERR_FILENO) != 0;
  const auto keep = [&](std::size_t k, const std::string& png) {
    write_atomically(own.path() / fmt::format("{:06}.png", k), png);
    if (shows) std::fprintf(stderr, "\rframe %zu of %zu ", k + 1, count);
  };
  const bool is_drawn = capture_frames(c, keep);
  if (shows) std::fprintf(stderr, "\r\033[K");
  if (!is_drawn || !encode(ffmpeg, own.path(), o)) return 128 + signal_to_stop;
  if (!o.quiet) std::printf("%s\n", o.out.c_str());
  return 0;
}

}  // namespace

Action add_picture(CLI::App& app) {
  auto* c = app.add_subcommand("picture", "Draw a frame of a run, as its page shows it (needs chromium)");
  auto o = std::make_shared<DrawArguments>();
  o->out = "picture.png";
  add_look(*c, *o);
  c->add_option("--frame", o->frame, "Its number, from 0; -1 is the last (default: -1)");
  c->add_option("--out", o->out, "PNG file (default: picture.png)");
  c->footer("Example:\n  lodestone picture out/cantilever --frame 10 --view z --out bent.png");
  return [o] { return draw_picture(*o); };
}

Action add_film(CLI::App& app) {
  auto* c = app.add_subcommand("film", "Make a film of a run, as its page shows it (needs chromium and ffmpeg)");
  auto o = std::make_shared<DrawArguments>();
  o->out = "film.mp4";
  add_look(*c, *o);
  c->add_option("--from", o->from, "First frame, from 0 (default: 0)");
  c->add_option("--to", o->to, "Last frame; -1 is that of the run (default: -1)");
  c->add_option("--every", o->every, "Leave out all but every so many frames (default: 1)")
      ->check(CLI::Range(1, 1000000));
  c->add_option("--rate", o->rate, "Frames a second (default: 25)")->check(CLI::Range(0.1, 120.0));
  c->add_option("--out", o->out, ".mp4, .webm, .gif or .webp (default: film.mp4)");
  c->footer("Example:\n  lodestone film out/cantilever --view z --out bending.webm");
  return [o] { return draw_film(*o); };
}

}  // namespace ls::app
