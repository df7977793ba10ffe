# Prints what zsh offers for a command line with the cursor at its end, one candidate a line: an interactive zsh in a pseudo-terminal is
# asked to complete it, with a compadd that tells.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'stty -echo; PROMPT= RPROMPT=; unsetopt zle_bracketed_paste'
zpty -w shell 'fpath=($PWD/completions $fpath); autoload -Uz compinit; compinit -D -u'
zpty -w shell 'compadd() {
  if [[ ${@[(I)-(O|A|D)]} -gt 0 ]]; then builtin compadd "$@"; return; fi
  local -a found hidden prefix
  zparseopts -D -E -a hidden P:=prefix
  builtin compadd -A found "$@"
  local one
  for one in $found; do print -r -- "<<$IPREFIX$prefix[2]$one>>" >> $told; done
  builtin compadd "$@"
}'
told=$(mktemp)
zpty -w shell "told=$told"
zpty -w shell 'done() { print end >> $told }; zle -N done; bindkey "^X" done; bindkey "^I" list-choices'
zpty -w -n shell "$1"$'\t\x18'
for ((i = 0; i < 200; i++)); do
  zpty -r -t shell > /dev/null 2>&1
  grep -q '^end' $told && break
  sleep 0.05
done
zpty -d shell
sed -n 's/^<<\(.*\)>>$/\1/p' $told
rm -f $told
