#!/usr/bin/env bash
# scripts/check-language accepts this repository, and finds each kind of phrase planted in a copy of its shape.
#   check_language_test.sh REPOSITORY
set -euo pipefail
check="$1/scripts/check-language"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $1"
    exit 1
}

"$check" "$1" || fail 'the repository has phrases to rewrite'

# plant FILE LINE: a tree with this file only.
plant() {
    rm -rf "${folder:?}"/*
    mkdir -p "$folder/$(dirname "$1")"
    printf 'A first line.\n%s\n' "$2" >"$folder/$1"
}
accepts() {
    plant "$1" "$2"
    "$check" "$folder" || fail "refused '$2' in $1"
}
# refuses FILE LINE PHRASE: the message has the file, the line and the phrase.
refuses() {
    plant "$1" "$2"
    local output
    if output="$("$check" "$folder")"; then fail "accepted '$2' in $1"; fi
    [[ "$output" == "$1:2: \"$3\"; write "* ]] || fail "not the expected message: $output"
}

refuses saltus/laws/a.hpp '// M is no P-matrix.' 'is no P'
refuses docs/a.md 'Velocities that are no rates' 'are no rates'
refuses cli/a.cpp 'fail("is also no option");' 'is also no option'
accepts saltus/laws/a.hpp '// M is not a P-matrix, and there is no solution.'
accepts docs/a.md 'There may be no solution, which is no longer a surprise, and no more than that: there is then no step.'
accepts docs/a.md 'is no P-matrix'

refuses docs/a.md 'a row a sample' 'a row a sample'
refuses saltus/a.hpp '// One law a block.' 'One law a block'
refuses python/a.py '# 2 calls a variable' '2 calls a variable'
refuses cli/a.cpp 'fail("give one, or one a row");' 'one a row'
refuses README.md 'takes 30 ns a step' 'ns a step'
accepts docs/a.md 'One row per sample, one per row, 30 ns per step, a law for a block, 3 times a day.'

refuses scripts/a 'echo computed anew' 'anew'
refuses python/saltus/a.py '"""Options that the scheme has not."""' 'has not'
refuses saltus/a.hpp '// A sphere has not the facets of a box.' 'has not the'
accepts saltus/a.hpp '// The step has not converged yet; has not been tried.'

refuses tests/a.cpp '    // Of contacts: the gap.' '// Of contacts: the gap.'
refuses tests/a.cpp 'int k;  // Of the row.' '// Of the row.'
accepts tests/a.cpp '// The gap of a contact. Of these there are two.'

refuses saltus/a.hpp '// What is left empty is absent.' 'left empty is absent'
refuses examples/a.toml '# 12 seconds in all.' 'in all'
accepts examples/a.toml '# in all cases, in all of them'
refuses viewer/src/a.ts '// as long as a contact lasts' 'as long as a contact lasts'
refuses docs/notebooks/a.ipynb '"the report tells which rows\n"' 'tells which'
refuses Makefile '# tells the number' 'tells the number'
accepts viewer/src/a.ts '// a value that tells its listeners; tells the places apart; tells the user why'

accepts viewer/dist/a.ts '// drawn anew'
accepts tests/data/README.md 'computed anew'
accepts docs/notebooks/a.html 'computed anew'
echo 'passed'
