#!/usr/bin/env bash
# Install into a temporary folder, run the program from there, and build and run a project that uses the library.
# usage: tests/install_test.sh BUILD-FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

cmake --install "$build" --prefix "$prefix" >"$scratch/install.log" || { cat "$scratch/install.log" && exit 1; }
"$prefix/bin/lodestone" --version
for folder in scenes validation; do
  [[ -d $prefix/share/lodestone/$folder ]] || { echo "share/lodestone/$folder is missing" && exit 1; }
done
tests=$(find "$prefix" -name '*_test*' -not -path '*/share/*')
[[ ! $tests ]] || { printf 'tests got installed:\n%s\n' "$tests" && exit 1; }

mkdir "$scratch/consumer"
cd "$scratch/consumer"
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(lodestone REQUIRED)
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE lodestone::run)
TEXT
cat >main.cpp <<'TEXT'
#include <cstdio>
#include <string>

#include "base/error.h"

int main() {
  const std::string message = ls::describe({"scene.toml", 3, 9, "rod.beam.bonds"}, "found -3");
  std::puts(message.c_str());
  return message.find("rod.beam.bonds") == std::string::npos;
}
TEXT
cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >configure.log 2>&1 || { cat configure.log && exit 1; }
ninja -C build >build.log || { cat build.log && exit 1; }
build/consumer
