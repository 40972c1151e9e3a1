#!/usr/bin/env bash
# scripts/check-includes accepts this repository, and catches each kind of violation planted in a copy of its shape.
#   check_includes_test.sh REPOSITORY
set -euo pipefail
check="$1/scripts/check-includes"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $1"
    exit 1
}

"$check" "$1" || fail 'the repository has includes in the wrong direction'

# plant FILE INCLUDE_LINE: a tree with this file only.
plant() {
    rm -rf "${folder:?}"/*
    mkdir -p "$folder/saltus" "$folder/$(dirname "$1")"
    printf '#pragma once\n%s\n' "$2" >"$folder/$1"
}
accepts() {
    plant "$1" "$2"
    "$check" "$folder" || fail "refused $2 in $1"
}
refuses() {
    plant "$1" "$2"
    local output
    if output="$("$check" "$folder")"; then fail "accepted $2 in $1"; fi
    [[ "$output" == "$1:2: "* ]] || fail "the message lacks file and line: $output"
}

accepts saltus/laws/a.hpp '#include "saltus/core/check.hpp"'
accepts saltus/core/a.hpp '#include "saltus/core/check.hpp"'
accepts saltus/io/a.hpp '#include "saltus/model/model.hpp"'
accepts saltus/core/a.hpp '#include <vector>'
accepts cli/a.cpp '#include "saltus/io/problem/problem_file.hpp"'
refuses saltus/core/a.hpp '#include "saltus/laws/interval.hpp"'
refuses saltus/complementarity/a.cpp '#include "saltus/io/problem/problem_file.hpp"'
refuses saltus/complementarity/a.cpp '  #  include "saltus/model/model.hpp"'
refuses saltus/mechanics/a.hpp '#include "saltus/circuits/netlist.hpp"'
refuses saltus/io/a.hpp '#include "cli/solve.hpp"'
refuses cli/a.cpp '#include "python/module.hpp"'
refuses saltus/laws/a.hpp '#include "interval.hpp"'
refuses saltus/laws/a.hpp '#include "../core/check.hpp"'
refuses saltus/laws/a.hpp '#include <saltus/core/check.hpp>'
refuses saltus/laws/a.hpp '#include "saltus/unknown/a.hpp"'
echo 'passed'
