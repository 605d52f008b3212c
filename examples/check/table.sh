#!/bin/sh
# Checks the sample operators, each as it is and with each seeded defect, and prints a table. Needs Node with
# @kubernetes/client-node in EVENKEEL_NODE_MODULES, and Python with its package kubernetes; operators that cannot run are left
# out. Arguments are further options of the command, such as --time 5m.
set -u
home=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd -P)
here=$home/examples/check
evenkeel=${EVENKEEL:-$home/evenkeel}
java=$("$home/evenkeel" --jdk-home)/bin/java
"$home/evenkeel" bench --help >/dev/null || exit 1 # builds the operators in Java
built=$(dirname "$(ls -t "$home"/benchmarks/target/dependencies.classpath \
    "$home"/benchmarks/target/quick/dependencies.classpath 2>/dev/null | head -n 1)")
python=${PYTHON:-python3}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# check NAME DEFECT OPTIONS: prints a row
row() {
    name=$1
    defect=$2
    shift 2
    "$evenkeel" check "$@" --fail-fast >"$out/log" 2>&1
    code=$?
    found=$(sed -n '/^FOUND/,/^$/p' "$out/log" | sed -n 's/^    //p' | head -n 1)
    schedule=$(sed -n "s/.*--replay '\(.*\)'/\1/p" "$out/log" | head -n 1)
    number=$(grep -nE '^ *[0-9]+ .* WRONG' "$out/log" | head -n 1 | sed 's/^[0-9]*: *\([0-9]*\) .*/\1/')
    speed=$(sed -n 's/.* \([0-9.]*\) runs a minute.*/\1/p' "$out/log")
    runs=$(sed -n 's/.*: \([0-9]*\) runs with faults.*/\1/p' "$out/log")
    [ "$code" = 2 ] && found=$(tail -n 1 "$out/log")
    echo "| $name | ${defect:-none} | $code | ${number:-} | ${runs:-} | $found | ${schedule:+\`$schedule\`} | ${speed:-} |"
    if [ -n "${KEEP:-}" ]; then
        mkdir -p "$KEEP" && cp "$out/log" "$KEEP/$(echo "$name-$defect" | tr -c 'a-zA-Z0-9\n' -).log"
    fi
}

echo '| operator | defect | exit code | found by run | runs | finding | schedule | runs a minute |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- |'
set -- --parallel 2 --patience 5s "$@"
for defect in '' stale-read lost-step missed-deletion; do
    boards="--crds $here/crds --given $here/given --spec $here/spec.yaml"
    classes=$built/classes:$(cat "$built/dependencies.classpath")
    run="$java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp \$CLASSES"
    export CLASSES="$classes"
    # shellcheck disable=SC2086  # the options of the boards are words
    {
        if [ -n "${EVENKEEL_NODE_MODULES:-}" ]; then
            row '@kubernetes/client-node' "$defect" --exec "node $here/node/operator.mjs $defect" $boards "$@"
        fi
        if "$python" -c 'import kubernetes' 2>/dev/null; then
            row 'Python client' "$defect" --exec "$python $here/python/operator.py $defect" $boards "$@"
        fi
        row 'fabric8 informers' "$defect" --exec "$run dev.evenkeel.benchmarks.board.BoardOperator $defect" $boards "$@"
        row 'JOSDK' "$defect" --exec "$run dev.evenkeel.benchmarks.webpage.WebPageOperator $defect" \
            --crds "$here/webpages/crds" --given "$here/webpages/given" --spec "$here/webpages/spec.yaml" "$@"
    }
done
