# The Debian packages the project needs, and how they get installed. Sourced by run and test.

# To build and run the program.
build_packages=(g++ cmake ninja-build libeigen3-dev libtomlplusplus-dev libcli11-dev libfmt-dev nlohmann-json3-dev
  libhdf5-dev)
# For the page that is bundled into it. Whoever has a node of his own keeps it.
command -v node >/dev/null && command -v npm >/dev/null || build_packages+=(nodejs npm)
# For the Python module, in addition.
python_packages=(pybind11-dev python3-dev python3-numpy)
# To test it, in addition.
test_packages=("${python_packages[@]}" python3-venv python3-pip python3 python3-h5py python3-jsonschema libgtest-dev
  libbenchmark-dev libclang-rt-14-dev clang-format-14 clang clang-tidy binutils git chromium ffmpeg)
# To make a Debian package of it.
package_packages=(dpkg-dev file)
# To make the documentation a site.
site_packages=(mkdocs python3 python3-markdown)

missing_packages() {
  local package installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    grep -qxF "installed $package" <<<"$installed" || printf '%s\n' "$package"
  done
}

# install_packages NAME...: installs those that are missing and says so; silent when there are none.
# Afterwards newly_installed says whether there were any.
newly_installed=
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system: the counterparts of these packages must be there already: $*"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Some Debian packages are missing. As root, run" >&2
      echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing Debian packages: ${missing[*]}"
  local log apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  log=$(mktemp)
  # A failed update is not the end (one broken source among many); a failed install is.
  "${apt[@]}" update >"$log" 2>&1 || true
  if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "Could not install: ${missing[*]}" >&2
    return 1
  fi
  rm -f "$log"
  newly_installed=yes
}
