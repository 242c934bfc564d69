// `hyperslab completion`: what shells need to complete the commands and options, made from their declarations.

import { Argument, type Command } from 'commander'
import { examples } from './examples.ts'

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print the program by which a shell completes commands and options')
    .addArgument(new Argument('<SHELL>', 'the shell').choices(['bash', 'zsh']))
    .addHelpText(
      'after',
      examples(
        'source <(hyperslab completion bash)',
        'hyperslab completion bash > ~/.local/share/bash-completion/completions/hyperslab',
        'hyperslab completion zsh > ~/.zfunc/_hyperslab',
      ),
    )
    .action((shell: 'bash' | 'zsh') => {
      process.stdout.write(shell === 'bash' ? bashCompletion(program) : zshCompletion(program))
    })
}

interface Choice {
  readonly word: string
  readonly description: string
}

/** The words that can follow the command of a name such as `acl set`; '' is the program. */
function choicesOf(program: Command): ReadonlyMap<string, readonly Choice[]> {
  const choices = new Map<string, readonly Choice[]>()
  const visit = (command: Command, name: string) => {
    const help = command.createHelp()
    const commands = help.visibleCommands(command).filter(child => child.name() !== 'help')
    const options = help.visibleOptions(command)
    choices.set(name, [
      ...commands.map(child => ({ word: child.name(), description: child.description() })),
      ...options.flatMap(option =>
        [option.long, option.short].flatMap(word =>
          word ? [{ word, description: option.description }] : [],
        ),
      ),
    ])
    for (const child of commands) visit(child, `${name} ${child.name()}`.trim())
  }
  visit(program, '')
  return choices
}

/** Shows and hides nothing by itself: where no option fits, bash completes files. */
function bashCompletion(program: Command): string {
  const cases = [...choicesOf(program)].map(
    ([name, choices]) => `    ${quoted(name)}) words=${quoted(choices.map(({ word }) => word).join(' '))} ;;`,
  )
  return `# Completion of hyperslab for bash: source <(hyperslab completion bash)
_hyperslab() {
  local word name= words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *) _hyperslab_words "\${name:+$name }$word" && name="\${name:+$name }$word" || break ;;
    esac
  done
  _hyperslab_words "$name"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
_hyperslab_words() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
complete -o default -F _hyperslab hyperslab
`
}

function zshCompletion(program: Command): string {
  const cases = [...choicesOf(program)].map(([name, choices]) => {
    const described = choices.map(({ word, description }) => `      ${quoted(`${word}:${description}`)}`)
    return `    ${quoted(name)}) choices=(\n${described.join('\n')}\n    ) ;;`
  })
  return `#compdef hyperslab
# Completion of hyperslab for zsh: a file _hyperslab in a folder of $fpath
_hyperslab() {
  local word name= choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] && continue
    _hyperslab_choices "\${name:+$name }$word" || break
    name="\${name:+$name }$word"
  done
  _hyperslab_choices "$name"
  _describe -o command choices || _files
}
_hyperslab_choices() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_hyperslab "$@"
`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
