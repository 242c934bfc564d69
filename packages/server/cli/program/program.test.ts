// The declarations of commands: examples in every help, and completions of every command.

import { spawnSync } from 'node:child_process'
import type { Command } from 'commander'
import { describe, expect, it, vi } from 'vitest'
import { createProgram } from './program.ts'

/** The commands that do something, by their names such as `acl set`. */
function commandsOf(parent: Command, above = ''): readonly (readonly [string, Command])[] {
  const help = parent.createHelp()
  const children = help.visibleCommands(parent).filter(command => command.name() !== 'help')
  return children.flatMap(command => {
    const name = `${above} ${command.name()}`.trim()
    return command.commands.length === 0 ? [[name, command] as const] : commandsOf(command, name)
  })
}

const names = commandsOf(createProgram()).map(([name]) => name)

function find(name: string): Command {
  const found = commandsOf(createProgram()).find(([other]) => other === name)
  if (!found) throw new Error(`there is no command ${name}`)
  return found[1]
}

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: piece => void (text += piece) })
  command.outputHelp()
  return text
}

describe('help', () => {
  it.each(names)('%s has three examples, which its declaration takes', name => {
    const examples = helpOf(find(name)).split('\nExamples:\n')[1]?.trimEnd().split('\n') ?? []
    expect(examples).toHaveLength(3)
    for (const example of examples) {
      const [, words = ''] = new RegExp(`hyperslab ${name}( [^|>&)]*)?`).exec(example) ?? ['', undefined]
      expect(example).toContain(`hyperslab ${name}`)
      const command = find(name)
      const args = [...(words ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, word]) => quoted ?? word ?? '',
      )
      // `xargs` gives the last one.
      if (example.includes('xargs')) args.push('id')
      const { operands, unknown } = command.parseOptions(args)
      expect(unknown, example).toEqual([])
      const declared = command.registeredArguments
      expect(operands.length, example).toBeGreaterThanOrEqual(
        declared.filter(({ required }) => required).length,
      )
      if (!declared.at(-1)?.variadic) expect(operands.length, example).toBeLessThanOrEqual(declared.length)
    }
  })
})

function completion(shell: 'bash' | 'zsh'): string {
  let text = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(piece => {
    text += String(piece)
    return true
  })
  try {
    createProgram().parse(['completion', shell], { from: 'user' })
  } finally {
    spy.mockRestore()
  }
  return text
}

/** The words that bash offers for the last word of a line. */
function offered(line: string): readonly string[] {
  const words = line.split(' ')
  const script = `${completion('bash')}
COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}
_hyperslab; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.trim().split('\n')
}

describe('completion', () => {
  it.each(['bash', 'zsh'] as const)('%s knows every command', shell => {
    const text = completion(shell)
    for (const name of names) expect(text).toContain(`\n    '${name}') `)
    expect(text).not.toContain('try-folder')
  })

  it('bash offers commands, those below them, and options, behind other words', () => {
    expect(offered('hyperslab a')).toEqual(['acl', 'audit'])
    expect(offered('hyperslab acl s')).toEqual(['show', 'set'])
    expect(offered('hyperslab acl set /lab --e')).toEqual(['--endpoint'])
    expect(offered('hyperslab ls /lab acl --rec')).toEqual(['--records', '--recursive'])
    expect(offered('hyperslab none --')).toEqual(expect.arrayContaining(['--version', '--help']))
  })
})
