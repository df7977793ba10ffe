/** Shells that have a completion script. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * What makes a shell complete the words of kafka-dissect: it asks the command itself, as yargs answers. SHELL tells yargs the form of the
 * answer: the user's own may be another than the one that asks.
 */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion for bash. In ~/.bashrc:  source <(kafka-dissect completion bash)
_kafka_dissect() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(SHELL=bash kafka-dissect --get-yargs-completions "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _kafka_dissect kafka-dissect
`,
  zsh: `#compdef kafka-dissect
# Completion for zsh. In ~/.zshrc, behind compinit:  source <(kafka-dissect completion zsh)
_kafka_dissect() {
  local -a found
  found=(\${(f)"$(SHELL=zsh kafka-dissect --get-yargs-completions "\${(@)words[1,CURRENT]}" 2>/dev/null)"})
  (( \${#found} )) && _describe value found
  [[ \${words[CURRENT]} == -* ]] || _files
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _kafka_dissect "$@"; else compdef _kafka_dissect kafka-dissect; fi
`,
  fish: `# Completion for fish:  kafka-dissect completion fish > ~/.config/fish/completions/kafka-dissect.fish
complete -c kafka-dissect -a '(env SHELL=fish kafka-dissect --get-yargs-completions (commandline -opc) (commandline -ct) 2>/dev/null)'
`,
};
