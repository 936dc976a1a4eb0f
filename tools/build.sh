# Configure and build, quietly. Sourced by run and test, which set root, the folder of the repository.

# Debian's own tools come first: another python3, cmake or HDF5 further up the PATH would be found instead.
export PATH="/usr/bin:/bin:$PATH"

folder_of() {
  case $1 in
    release) echo "$root/build" ;;
    *) echo "$root/build-$1" ;;
  esac
}

configured() {
  [[ -f $(folder_of "$1")/build.ninja ]]
}

# configure PRESET: says nothing unless it fails.
configure() {
  local folder log fresh=()
  folder=$(folder_of "$1")
  # A build folder that moved along with the tree knows only its old place.
  if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  mkdir -p "$folder"
  log=$folder/configure.log
  if ! cmake "${fresh[@]}" -S "$root" --preset "$1" >"$log" 2>&1; then
    cat "$log" >&2
    echo "Could not configure ${folder#"$root"/}/" >&2
    return 1
  fi
}

# Reads what ninja prints; one line says that there is something to build, on a terminal a counter runs.
show_progress() {
  local line said=
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+/[0-9]+)\]\ (Building|Linking) ]] || continue
    [[ $said ]] || echo "Building $1"
    said=1
    [[ ! -t 1 ]] || printf '\r%s ' "${BASH_REMATCH[1]}"
  done
  [[ ! $said || ! -t 1 ]] || printf '\r\033[K'
}

# build PRESET TARGET...: silent when up to date; the compiler's words are shown only when it fails.
build() {
  local preset=$1 folder log
  folder=$(folder_of "$preset")
  log=$folder/build.log
  shift
  if ! NINJA_STATUS='[%f/%t] ' ninja -C "$folder" -j "$(nproc)" "$@" 2>&1 | tee "$log" |
    show_progress "$* in ${folder#"$root"/}/"; then
    # Only what failed, not the warnings of others.
    awk '/^FAILED: /{show=1} /^\[[0-9]+\/[0-9]+\] /{show=0} /^ninja: error/{show=1} show' "$log" >&2
    echo "Could not build; the whole log is ${log#"$root"/}" >&2
    return 1
  fi
}
