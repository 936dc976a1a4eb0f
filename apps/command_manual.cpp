#include "apps/commands.h"
#include "run/summary.h"

#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>

// The manual page and the completion of bash: both are the parser's own options, written in another way, so that
// neither can say what the program does not do.
namespace ls::app {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands(std::function<bool(const CLI::App*)>([](const CLI::App*) { return true; }));
}

// Hyphens that are typed, and what roff would take for its own.
std::string roff(const std::string& text, bool typed = false) {
  std::string page;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) page += "\\&";
    if (c == '\\')
      page += "\\e";
    else if (c == '-' && typed)
      page += "\\-";
    else
      page += c;
    line_start = c == '\n';
  }
  return page;
}

std::string upper(std::string word) {
  for (char& c : word)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return word;
}

std::string option_entry(const CLI::Option& option) {
  const bool takes_value = option.get_type_size_max() > 0;
  std::string names = option.get_name(false, true);  // "-h,--help"
  if (const auto comma = names.find(','); comma != std::string::npos) names.insert(comma + 1, " ");
  std::string text = fmt::format(".TP\n\\fB{}\\fR", roff(names, true));
  if (option.get_positional()) text = fmt::format(".TP\n\\fI{}\\fR", upper(option.get_name(true)));
  if (takes_value && !option.get_positional()) {
    const std::string type = option.get_type_name();  // "INT:INT in [1 - 1024]"
    text += fmt::format(" \\fI{}\\fR", type.substr(0, type.find(':')));
  }
  return fmt::format("{}\n{}\n", text, roff(option.get_description()));
}

// The text between a command's options and the next command: an example, as it stands.
std::string verbatim(const std::string& text) {
  return text.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text, true));
}

std::string manual(const CLI::App& app) {
  std::string page = fmt::format(
      ".TH LODESTONE 1 \"\" \"lodestone {0}\" \"User Commands\"\n"
      ".SH NAME\nlodestone \\- simulate magneto-elastic rods, shells and rigid bodies\n"
      ".SH SYNOPSIS\n.B lodestone\n.I COMMAND\n[\\fIARGUMENT\\fR...]\n"
      ".SH DESCRIPTION\n{1}\n.SH COMMANDS\n",
      version, roff(app.get_description()));
  for (const CLI::App* command : commands_of(app)) {
    std::string usage = "lodestone " + command->get_name();
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_positional()) continue;
      const std::string name = upper(option->get_name(true));
      usage += option->get_required() ? " " + name : fmt::format(" [{}...]", name);
    }
    page += fmt::format(".SS {} [OPTION...]\n{}\n", roff(usage), roff(command->get_description()));
    for (const CLI::Option* option : command->get_options()) page += option_entry(*option);
    page += verbatim(command->get_footer());
  }
  page += ".SH EXIT CODES AND AN EXAMPLE\n" + verbatim(app.get_footer());
  return page +
         ".SH FILES\n.TP\n.I /usr/share/lodestone/scenes\nA scene for every feature.\n.TP\n"
         ".I /usr/share/doc/lodestone\nThe scene file, the program and the laws, page by page.\n";
}

// One line of a case: what may follow this command.
std::string completion_of(const CLI::App& command) {
  std::vector<std::string> words, folders;
  std::string place = ":";  // a command of the shell that adds what may stand without an option
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    if (option->get_name() == "--out") folders.emplace_back("--out");
    if (!option->get_positional()) continue;
    const std::string kind = option->get_name(true);
    place = kind == "scene" ? "scenes" : kind == "folder" ? "folders" : "cases";
  }
  return fmt::format("    {}) words='{}' place={} folder='{}' ;;\n", command.get_name(), fmt::join(words, " "), place,
                     fmt::join(folders, " "));
}

std::string completion(const CLI::App& app) {
  std::vector<std::string> names{"--help", "--version"};
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    names.push_back(command->get_name());
    cases += completion_of(*command);
  }
  return fmt::format(R"bash(# bash completion of lodestone, made by `lodestone completion`
_lodestone() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} words= place=: folder=
  scenes() {{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -X '!*.toml' -- "$current"; compgen -d -- "$current")
  }}
  folders() {{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
  }}
  cases() {{
    mapfile -t COMPREPLY < <(compgen -W "$("${{COMP_WORDS[0]}}" validate --list 2>/dev/null)" -- "$current")
  }}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $folder && $previous == "$folder" ]]; then
    folders
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  else
    $place
  fi
}}
complete -F _lodestone lodestone
)bash",
                     fmt::join(names, " "), cases);
}

Action printing(CLI::App& app, CLI::App* command, std::string (*text)(const CLI::App&), const char* example) {
  command->footer(std::string("Example:\n  ") + example);
  return [&app, text] {
    std::fputs(text(app).c_str(), stdout);
    return 0;
  };
}

}  // namespace

Action add_man(CLI::App& app) {
  return printing(app, app.add_subcommand("man", "Print the manual page"), manual, "lodestone man | man -l -");
}

Action add_completion(CLI::App& app) {
  return printing(app, app.add_subcommand("completion", "Print what makes bash complete commands and options"),
                  completion, "source <(lodestone completion)");
}

}  // namespace ls::app
