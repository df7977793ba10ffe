# Prints what bash offers for the last of these words, one candidate a line.
source completions/kafka-dissect.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_kafka_dissect
printf '%s\n' "${COMPREPLY[@]}"
