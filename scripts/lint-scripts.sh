#!/bin/bash
# Reads the pages' scripts with Debian's eslint, each as browsers get it: a script that begins with another one is
# read together with it. Exit status: 0 nothing found, 1 something found, 3 there is no eslint.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v eslint >/dev/null || {
  echo 'lint-scripts: there is no eslint: run scripts/setup.sh --tests' >&2
  exit 3
}
# Debian's eslint finds its own modules here, whatever node is first on PATH.
export NODE_PATH=/usr/share/nodejs:/usr/lib/nodejs

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
moment=Sources/Web/Files/local-moment.js
ground=Sources/Web/Files/map-ground.js
for script in Sources/*/Files/*.js; do
  case $(basename "$script") in
    map-ground.js | local-moment.js) continue ;;
    local-time.js) cat "$moment" "$script" >"$folder/local-time.js" ;;
    office-map.js | field-map.js) cat "$moment" "$ground" "$script" >"$folder/$(basename "$script")" ;;
    # These begin with the ground, too, and use a few of its functions.
    subject-pin.js | archive-pin.js)
      { echo '/* global groundOf, color, coneOf, make */' && cat "$script"; } >"$folder/$(basename "$script")" ;;
    *) cp "$script" "$folder/" ;;
  esac
done
config=$PWD/scripts/eslint.json
cd "$folder"
# `unix` needs none of the modules that Debian only recommends.
eslint --no-eslintrc --format unix --config "$config" ./*.js
