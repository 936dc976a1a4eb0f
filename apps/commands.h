#pragma once
#include <CLI/CLI.hpp>
#include <functional>

namespace ls::app {

// Each subcommand adds itself to the parser and says what to do when it was asked for; the result is the exit code.
using Action = std::function<int()>;
Action add_run(CLI::App& app);
Action add_check(CLI::App& app);
Action add_info(CLI::App& app);
Action add_sweep(CLI::App& app);
Action add_modes(CLI::App& app);
Action add_validate(CLI::App& app);
Action add_view(CLI::App& app);
Action add_picture(CLI::App& app);
Action add_film(CLI::App& app);
Action add_schema(CLI::App& app);
Action add_man(CLI::App& app);
Action add_completion(CLI::App& app);

}  // namespace ls::app
