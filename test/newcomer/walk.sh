#!/usr/bin/env bash
# A newcomer's walk: a fresh clone, the README's commands as they stand there, each example of the documents; then the package, installed in
# an empty folder on each Node, on a capture of the newcomer's own; the manual page, and completion.
#
#   npm run test:newcomer                             all of it
#   test/newcomer/walk.sh --without-tests             but for the README's `npm test`, where the caller runs that
#
# What is walked is the last commit. The last line counts; the exit code is 0 only where something passed and nothing failed. NODE_RELEASES
# may name a folder in which Nodes stay.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec < /dev/null

readonly checkout=$PWD work=$(mktemp -d) with_tests=${1:-}
readonly clone=$work/clone releases=${NODE_RELEASES:-$work/nodes}
readonly capture=captures/kafka2.8-franz-v4.pcap
passed=0 failed=0 skipped=0
trap 'rm -rf "$work"' EXIT

# step NAME COMMAND..: counts it, and shows what it said if it fails.
step() {
  local name=$1
  shift
  if "$@" > "$work/log" 2>&1; then
    echo "ok: $name"
    passed=$((passed + 1))
  else
    echo "FAILED: $name"
    tail -n 60 "$work/log" | sed 's/^/    /'
    failed=$((failed + 1))
    return 1
  fi
}

skip() {
  echo "SKIPPED: $1: $2"
  skipped=$((skipped + 1))
}

finish() {
  local also=
  [ "$skipped" -gt 0 ] && also=", $skipped skipped"
  echo "$passed passed, $failed failed$also"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit
}

# The README's first block of commands.
readme_commands() { awk '/^    / { print substr($0, 5); seen = 1; next } seen { exit }' README.md; }

# The examples of the documents, with this checkout's captures alone.
examples() { (cd "$clone" && npx --no-install ava --tap test/docs/examples.test.ts test/recipes/recipes.test.ts); }

count_examples() {
  local left_out
  step "the examples of README.md and docs/recipes.md" examples
  left_out=$(sed -nE 's/^# skip ([0-9]+)$/\1/p' "$work/log" | tail -n 1)
  grep -E '^ok .*# SKIP' "$work/log"
  skipped=$((skipped + ${left_out:-0}))
}

# A capture that nothing of this project made: the bytes by hand from Kafka's protocol, packets and file by Wireshark's text2pcap.
bring_capture() {
  text2pcap -q -D -4 192.0.2.9,192.0.2.1 -T 50123,9092 - "$work/own.pcapng" << 'HEX'
I
000000 00 00 00 1e 00 20 00 01 00 00 00 07 00 02 6d 65 00 00 00 01 02 00 06 6f 72 64 65 72 73 ff ff ff ff 00
O
000000 00 00 00 3c 00 00 00 07 00 00 00 00 00 00 00 01 00 00 ff ff 02 00 06 6f 72 64 65 72 73 00 00 00 01 00 0c 72 65 74 65 6e 74 69 6f 6e 2e 6d 73 00 08 38 36 34 30 30 30 30 30 00 01 00 00 00 00 00
HEX
}

# install FOLDER: as somebody does who wants to try it; nothing that packages bring is run.
install() {
  mkdir -p "$1" && cd "$1" && npm init --yes && npm install --no-audit --no-fund --ignore-scripts "$work"/kafka-dissect-*.tgz
}

# prints_golden FOLDER: of a capture of this repository it prints what is checked in.
prints_golden() {
  mkdir -p "$1/captures" && cp "$clone/$capture" "$1/captures" && cd "$1" &&
    npx --no-install kafka-dissect --format ndjson --events --quiet "$capture" > printed && cmp printed "$clone/test/golden/$capture.ndjson"
}

# reads_own FOLDER: the newcomer's capture, from a pipe and compressed, holds what was put into it.
reads_own() {
  cd "$1" && gzip < "$work/own.pcapng" | npx --no-install kafka-dissect --strict - > printed && [ "$(wc -l < printed)" -eq 1 ] &&
    grep -F '"status":"complete","number":1,"capture":"-"' printed &&
    grep -F '"client":"192.0.2.9:50123","server":"192.0.2.1:9092","apiKey":32' printed &&
    grep -F '"configs":[{"name":"retention.ms","value":"86400000","readOnly":false,"configSource":1' printed
}

walk_on() {
  local version=$1 folder=$work/on-$1 bin
  if ! bin=$("$checkout/.ci/node-release" "$version" "$releases/$version"); then
    skip "Node $version" "its npm package couldn't be installed"
    return
  fi
  (
    PATH=$bin:$PATH
    if step "Node $version: installs in an empty folder" install "$folder"; then
      step "Node $version: prints what it should" prints_golden "$folder"
      if [ -f "$work/own.pcapng" ]; then step "Node $version: reads a capture brought along" reads_own "$folder"; fi
    fi
    echo "$passed $failed" > "$work/counts"
  )
  read -r passed failed < "$work/counts"
}

shows_man_page() { MANWIDTH=80 man -M "$work/prefix/share/man" kafka-dissect | grep -F 'kafka-dissect [options] CAPTURE..'; }

completes() {
  [ "$(PATH=$work/prefix/bin:$PATH bash -c \
    'source <(kafka-dissect completion bash); COMP_WORDS=(kafka-dissect summ); COMP_CWORD=1; _kafka_dissect; echo "${COMPREPLY[*]}"')" = summary ]
}

step "clone" git clone --quiet "$checkout" "$clone" && cd "$clone" || finish
mapfile -t commands < <(readme_commands)
step "the README begins with two commands" test "${#commands[@]}" -eq 2
for command in "${commands[@]}"; do
  if [ "$with_tests" = --without-tests ] && [ "$command" = 'npm ci && npm test' ]; then
    echo "left to the caller: $command"
    continue
  fi
  step "README: $command" bash -c "$command" || finish
done
count_examples
step "npm pack" npm pack --pack-destination "$work" || finish
if command -v text2pcap > /dev/null; then step "a capture of the newcomer's own" bring_capture; else skip "a capture of the newcomer's own" "there is no text2pcap"; fi
for version in 20 22 24 26; do walk_on "$version"; done
step "installs for all users" npm install --global --prefix "$work/prefix" --no-audit --no-fund --ignore-scripts "$work"/kafka-dissect-*.tgz || finish
if command -v man > /dev/null; then step "man shows the manual page" shows_man_page; else skip "man shows the manual page" "there is no man"; fi
step "bash completes" completes
finish
