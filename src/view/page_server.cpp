#include "view/page_server.h"

#include "base/error.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <random>

namespace ls {

namespace {

using Wall = std::chrono::steady_clock;

constexpr std::size_t largest_picture = 64 << 20;  // bytes
constexpr const char* binary = "application/octet-stream";

// A parameter that must be a whole number; left out, the other one.
long long number(const HttpRequest& r, const char* name, long long otherwise) {
  const std::string text = r.parameter(name);
  if (text.empty()) return otherwise;
  long long value = 0;
  const auto [rest, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (bad != std::errc() || rest != text.data() + text.size())
    throw Error(fmt::format("{}: expected a whole number", name));
  return value;
}

std::size_t index(const HttpRequest& r, const char* name) {
  const long long n = number(r, name, 0);
  if (n < 0) throw Error(fmt::format("{}: expected a number from 0 on", name));
  return static_cast<std::size_t>(n);
}

int small(const HttpRequest& r, const char* name, int otherwise) {
  return static_cast<int>(std::clamp<long long>(number(r, name, otherwise), -1, 1 << 30));
}

HttpReply with_type(std::string body, const char* type) {
  HttpReply reply;
  reply.body = std::move(body);
  reply.type = type;
  return reply;
}

HttpReply json_reply(const nlohmann::json& j) {
  return with_type(j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), "application/json");
}

// Scripts and styles come from here and from nowhere else; frames of notebooks on this machine may show the page.
void protect(HttpReply& reply) {
  reply.headers = {{"Cache-Control", "no-store"},
                   {"Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                    "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                    "frame-ancestors 'self' http://127.0.0.1:* http://localhost:*"},
                   {"X-Content-Type-Options", "nosniff"},
                   {"Cross-Origin-Resource-Policy", "same-origin"},
                   {"Referrer-Policy", "no-referrer"}};
  if (reply.status == 405) reply.headers["Allow"] = "GET, HEAD";
}

// Takes the same time wherever they differ.
bool is_same(const std::string& a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

}  // namespace

std::string random_token() {
  std::random_device source;  // the system's own
  std::string token;
  for (int k = 0; k < 4; ++k) token += fmt::format("{:08x}", source());
  return token;
}

PageServer::PageServer(const std::filesystem::path& folder, PageOptions options)
    : options_(std::move(options)),
      run_(folder),
      last_seen_(Wall::now().time_since_epoch().count()),
      server_(options_.port, [this](const HttpRequest& r) { return reply(r); },
              {.body = options_.shot ? largest_picture : 0}) {}

std::string PageServer::address() const {
  std::string query = options_.token.empty() ? "" : "&token=" + options_.token;
  query += options_.query;
  if (!query.empty()) query[0] = '?';
  return fmt::format("http://127.0.0.1:{}/{}", server_.port(), query);
}

double PageServer::seconds_alone() const {
  if (pages_ > 0) return 0;
  return std::chrono::duration<double>(Wall::now().time_since_epoch() - Wall::duration(last_seen_.load())).count();
}

// A page of another site could have its own name lead here, or ask from where it is.
std::string PageServer::refusal(const HttpRequest& r) const {
  const std::string port = fmt::format(":{}", server_.port());
  const auto is_ours = [&](const std::string& host) {
    return host == "127.0.0.1" + port || host == "localhost" + port;
  };
  if (!is_ours(r.header("host"))) return "this host is not served";
  const std::string origin = r.header("origin"), site = r.header("sec-fetch-site");
  if (!origin.empty() && !(origin.starts_with("http://") && is_ours(origin.substr(7))))
    return "refused to other origins";
  const bool opens_page = r.header("sec-fetch-mode") == "navigate" && r.path == "/";
  if (!site.empty() && site != "same-origin" && site != "none" && !opens_page) return "refused to other sites";
  return "";
}

bool PageServer::knows_token(const HttpRequest& r) const {
  return !options_.token.empty() && is_same(r.header("x-token"), options_.token);
}

HttpReply PageServer::reply(const HttpRequest& r) {
  HttpReply reply;
  last_seen_ = Wall::now().time_since_epoch().count();
  if (const std::string why = refusal(r); !why.empty()) {
    reply = http_refusal(403, why);
  } else {
    try {
      reply = r.method == "GET" || r.method == "HEAD" ? read(r)
              : r.method == "POST"                    ? write(r)
                                                      : http_refusal(405, "GET is what can be done here");
    } catch (const Error& e) {
      reply = http_refusal(e.fault() == Fault::input ? 404 : 500, e.what());
    }
  }
  protect(reply);
  return reply;
}

HttpReply PageServer::read(const HttpRequest& r) {
  for (const PageFile& file : options_.files)
    if (file.path == r.path) return with_type(std::string(file.bytes), file.type.c_str());
  if (r.path == "/api/run") return json_reply(about());
  if (r.path == "/api/news") return news();
  if (r.path == "/api/model") return with_type(run_.model(), binary);
  if (r.path == "/api/frame") {
    const std::string colour = r.parameter("colour");
    return with_type(run_.frame(index(r, "n"), colour.empty() ? "energy" : colour), binary);
  }
  if (r.path == "/api/probes") return with_type(run_.probes(index(r, "from")), binary);
  if (r.path == "/api/node") return json_reply(run_.node(index(r, "node"), index(r, "n")));
  if (r.path == "/api/track") return with_type(run_.track(index(r, "node")), binary);
  if (r.path == "/api/fluid")
    return with_type(run_.fluid(index(r, "n"), small(r, "slice", -1), small(r, "axis", 2), small(r, "cell", 0)),
                     binary);
  if (r.path == "/api/field") return with_type(run_.field(index(r, "n"), r.parameter("grid")), binary);
  return http_refusal(404, "there is no such thing here");
}

HttpReply PageServer::write(const HttpRequest& r) {
  if (!knows_token(r)) return http_refusal(403, "this needs the token in the address that the program printed");
  if (r.path == "/api/control" && options_.control) {
    if (!options_.control(r.parameter("order"))) return http_refusal(404, "orders are pause, resume, stop");
    return json_reply({{"order", r.parameter("order")}});
  }
  if (r.path == "/api/shot" && options_.shot) {
    options_.shot(index(r, "n"), r.body);
    return json_reply({{"taken", r.body.size()}});
  }
  return http_refusal(404, "there is no such thing here");
}

nlohmann::json PageServer::about() {
  nlohmann::json j = run_.about();
  j["can_control"] = static_cast<bool>(options_.control);
  if (options_.progress)
    if (const nlohmann::json more = options_.progress(); more.is_object()) j.update(more);
  return j;
}

// Server-sent events: what /api/run would say, whenever it says something else than before.
HttpReply PageServer::news() {
  struct Listener {
    explicit Listener(std::atomic<int>& count) : count_(count) { ++count_; }
    ~Listener() { --count_; }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    std::string last{};
    std::atomic<int>& count_;
  };
  HttpReply reply;
  reply.type = "text/event-stream";
  reply.stream = [this, listener = std::make_shared<Listener>(pages_)]() -> std::optional<std::string> {
    if (!listener->last.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    last_seen_ = Wall::now().time_since_epoch().count();
    try {
      run_.look();
      const std::string now = about().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      if (now == listener->last) return "";
      listener->last = now;
      return "event: run\ndata: " + now + "\n\n";
    } catch (const Error& e) {  // a file that is just being replaced: the next look will do
      listener->last = " ";
      return "event: trouble\ndata: " + nlohmann::json(e.what()).dump() + "\n\n";
    }
  };
  return reply;
}

}  // namespace ls
