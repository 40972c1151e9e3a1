#!/usr/bin/env bash
# scripts/first-look makes every file that it names, and what it suggests next can be run.
#   first_look_test.sh REPOSITORY SALTUS FOLDER
set -euo pipefail
repository="$1" saltus="$2" folder="$3"
rm -rf "$folder"
text="$("$repository/scripts/first-look" "$saltus" "$folder")"

fail() {
    printf 'FAILED: %s\n%s\n' "$1" "$text"
    exit 1
}

mapfile -t named < <(grep -oE "$folder/[^ ]+" <<<"$text")
[ "${#named[@]}" -eq 4 ] || fail "${#named[@]} files are named"
for file in "${named[@]}"; do [ -s "$file" ] || fail "$file is missing or empty"; done
for page in slider_crank diode_bridge; do
    grep -q '</html>' "$folder/$page.html" || fail "$page.html is not a page"
done
[ "$(head -c 4 "$folder/slider_crank.png" | tail -c 3)" = PNG ] || fail 'the picture is not a PNG'
grep -q '"status":"converged"' "$folder/string_over_obstacle.json" || fail 'the problem is not solved'
grep -qE 'residual [0-9.]+e-[0-9]+$' <<<"$text" || fail 'the residual is not shown'

cd "$repository"
model="$(sed -n 's|.* run \(examples/[^ ]*\) .*|\1|p' <<<"$text")"
[ -f "$model" ] || fail "the model '$model' is missing"
"$saltus" examples >/dev/null
grep -q '^python:' Makefile || fail 'make python does not exist'
[ -f docs/python.md ] || fail 'docs/python.md is missing'
