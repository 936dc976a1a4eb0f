#!/usr/bin/env bash
# bundle.sh OUT: index.html, page.css and page.js in OUT, of the sources beside this script and the packages of
# package-lock.json. Without node, npm or a network to fetch packages from, the three are empty, of an age that makes
# the next build try again, and the program is built without the page.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
out=${1:?bundle.sh needs a folder to write to}
mkdir -p "$out"
out=$(cd "$out" && pwd)

leave_out() {
  echo "The page is left out of the program: $1" >&2
  local file
  for file in index.html page.css page.js; do
    : >"$out/$file"
    touch -d @0 "$out/$file"
  done
  exit 0
}

for program in node npm; do
  command -v "$program" >/dev/null || leave_out "$program is not there (apt-get install nodejs npm)"
done
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$out/"
if ! cmp -s "$here/package-lock.json" "$out/node_modules/.installed"; then
  (cd "$out" && npm ci --ignore-scripts --no-progress --loglevel=error >npm.log 2>&1) ||
    leave_out "npm could not fetch its packages: $(tail -n 1 "$out/npm.log")"
  cp "$here/package-lock.json" "$out/node_modules/.installed"
fi
# Sources find their packages in the folder of the build: nothing is installed into the tree.
export NODE_PATH=$out/node_modules
"$out/node_modules/.bin/esbuild" "$here/src/main.js" --bundle --minify --format=iife --target=es2020 \
  --outfile="$out/page.js" --legal-comments=none --log-level=warning --loader:.glsl=text
[[ ! -f $out/page.css.tmp ]] || rm "$out/page.css.tmp"
cat "$out/node_modules/uplot/dist/uPlot.min.css" "$here/src/page.css" >"$out/page.css.tmp"
mv "$out/page.css.tmp" "$out/page.css"
cp "$here/src/index.html" "$out/index.html"
