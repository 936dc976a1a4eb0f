#!/usr/bin/env bash
# Makes the Debian package, has lintian look at it, and installs it by apt into a Debian that has nothing else: there the
# program runs, its manual page is found, bash completes, Python imports it and serves the page, and C++ compiles against it.
# As root, with network. Exit code 77: this machine can't.
# usage: tests/package_test.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/tools/packages.sh"
((EUID == 0)) || { echo "skipped: only root may make a system of its own" && exit 77; }
install_packages debootstrap lintian

package=$("$root/tools/package" | tail -n 1)
echo "$package"
said=$(lintian --allow-root "$package")
echo "$said"
! grep -q '^E:' <<<"$said" || { echo "lintian finds errors" && exit 1; }

scratch=$(mktemp -d)
clean() {
  umount "$scratch/debian/proc" 2>/dev/null || true
  rm -rf --one-file-system "$scratch"
}
trap clean EXIT
# From where this machine has its own packages.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)
proxy=$(apt-config dump | sed -n 's/^Acquire::http::Proxy "\(.*\)";/\1/p')
[[ ! $proxy ]] || export http_proxy=$proxy
debootstrap --variant=minbase bookworm "$scratch/debian" "$mirror" >"$scratch/log" 2>&1 ||
  { tail -n 20 "$scratch/log" && echo "skipped: no clean Debian to be had from $mirror" && exit 77; }
mount -t proc proc "$scratch/debian/proc" 2>/dev/null || echo "without /proc"
apt-config dump | grep -i '^Acquire::[a-z]*::Proxy ' >"$scratch/debian/etc/apt/apt.conf.d/99proxy" || true
cp "$package" "$scratch/debian/lodestone.deb"
cp "$root/examples/sag.cpp" "$scratch/debian/sag.cpp"
sed -n '/^cat >CMakeLists.txt/,/^TEXT/p' "$root/tests/install_test.sh" | sed '1d;$d' >"$scratch/debian/CMakeLists.txt"

cat >"$scratch/debian/try.sh" <<'TEXT'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
apt() { apt-get -q -y "$@" >/tmp/apt.log 2>&1 || { tail -n 30 /tmp/apt.log && exit 1; }; }
apt update
apt install /lodestone.deb
cd /tmp
lodestone --version
lodestone run /usr/share/lodestone/scenes/magnetic_beam.toml --out beam | tail -n 1
[[ -s beam/probes.csv && -s beam/picture.svg ]]
lodestone validate critical_step --fast --out validation
lodestone schema | cmp - /usr/share/lodestone/scene.schema.json
man lodestone | grep -q 'lodestone run SCENE'
bash -c 'source /usr/share/bash-completion/bash_completion
  _completion_loader lodestone || (($? == 124))
  complete -p lodestone | grep -q _lodestone'
python3 -c 'import lodestone; print("python", lodestone.__file__)'
python3 - <<'PYTHON'
import urllib.request
import lodestone.page
address = lodestone.page.address_of("beam")
assert b'<canvas id="canvas"' in urllib.request.urlopen(address).read()
lodestone.page._served.popitem()[1][0].kill()
PYTHON
apt install --no-install-recommends g++ cmake ninja-build libfmt-dev nlohmann-json3-dev libhdf5-dev
cmake -S / -B /tmp/consumer -G Ninja >/tmp/consumer.log 2>&1 || { cat /tmp/consumer.log && exit 1; }
ninja -C /tmp/consumer >/tmp/consumer.log || { cat /tmp/consumer.log && exit 1; }
/tmp/consumer/sag /usr/share/lodestone/scenes/magnetic_beam.toml /tmp/sag
apt purge lodestone
! find /usr -path '*lodestone*' | grep .
TEXT
# Of this machine's ways of compiling nothing holds there.
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root ${http_proxy+http_proxy="$http_proxy"} chroot "$scratch/debian" bash /try.sh
echo "installed, tried and removed in a clean Debian"
