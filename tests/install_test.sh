#!/usr/bin/env bash
# Install into a temporary folder, run the program from there, and build and run the example against what is there.
# usage: tests/install_test.sh BUILD-FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

cmake --install "$build" --prefix "$prefix" >"$scratch/install.log" || { cat "$scratch/install.log" && exit 1; }
"$prefix/bin/lodestone" --version
for folder in scenes validation; do
  [[ -d $prefix/share/lodestone/$folder ]] || { echo "share/lodestone/$folder is missing" && exit 1; }
done
tests=$(find "$prefix" \( -name '*_test*' -o -name 'test_*' \) -not -path '*/share/*')
[[ ! $tests ]] || { printf 'tests got installed:\n%s\n' "$tests" && exit 1; }

mkdir "$scratch/consumer"
cd "$scratch/consumer"
cp "$root/examples/sag.cpp" .
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(lodestone REQUIRED)
add_executable(sag sag.cpp)
target_link_libraries(sag PRIVATE lodestone::lodestone)
TEXT
cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >configure.log 2>&1 || { cat configure.log && exit 1; }
ninja -C build >build.log || { cat build.log && exit 1; }

# What it prints is what the probe at the tip has recorded.
scene=$prefix/share/lodestone/scenes/cantilever.toml
said=$(build/sag "$scene" out)
echo "$said"
awk -F, -v said="$said" '
  NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "tip.displacement.y") column = i }
  { probed = $column }
  END {
    split(said, word, " ")
    exit !(column && word[1] == "done:" && word[3] < -1e-3 && (word[3] - probed) ^ 2 < (1e-5 * probed) ^ 2)
  }' out/probes.csv || { echo "the probe at the tip says: $(tail -n 1 out/probes.csv)" && exit 1; }

# A bad scene: an Error that says where and what, and nothing is left behind.
sed 's/^bonds = .*/bonds = -3/' "$scene" >bad.toml
status=0
said=$(build/sag bad.toml bad 2>&1) || status=$?
line=$(grep -n '^bonds' bad.toml | cut -d: -f1)
expected="bad.toml:$line:9: rod.beam.bonds: found -3, expected a whole number"
[[ $status == 2 && $said == "$expected"* && ! -e bad ]] ||
  { printf 'of a bad scene it said (exit code %s):\n%s\nexpected: %s\n' "$status" "$said" "$expected" && exit 1; }
