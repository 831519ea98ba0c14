import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands, helpOf, options, type CommandName } from '../../src/cli/commands'
import { run } from '../../src/cli/run'
import { root } from '../docs/blocks'
import { terminal } from './terminal'

const names = (Object.keys(commands) as CommandName[]).filter(name => name !== 'help')

async function printed(...args: readonly string[]): Promise<string> {
  const { io, out, err } = terminal()
  expect([await run(args, io), err()]).toEqual([0, ''])
  return out()
}

describe.each(names)('the help of rxauth %s', name => {
  it('is the same for every way to ask for it', async () => {
    const help = helpOf(name)
    expect(await printed(name, '--help')).toBe(help)
    expect(await printed(name, '-h')).toBe(help)
    expect(await printed('help', name)).toBe(help)
    // It overrides all other arguments.
    const others: Readonly<Record<string, readonly string[]>> = {
      config: ['--file', 'x.json'],
      init: ['--yes'],
      add: ['--yes'],
      replay: ['--minimise'],
      mcp: ['--url', 'x'],
    }
    const other = others[name] ?? ['--data', 'memory']
    expect(await printed(name, ...other, '--help')).toBe(help)
  })

  it('has the usage, the purpose, and a text for each option', () => {
    const { usage, summary } = commands[name]
    const help = helpOf(name)
    const [first, second, third] = help.split('\n')
    expect([first, second]).toEqual([`Usage: ${usage}`, ''])
    expect(third?.toLowerCase()).toBe(`${summary}.`.toLowerCase())
    expect(third).toMatch(/^[A-Z]/)
    const text = help.replace(/\s+/g, ' ')
    const known = Object.entries<{ text: string; value?: string; short?: string }>(options)
    for (const [option, { text: what, value, short }] of known) {
      const flag = `${short === undefined ? '' : `-${short}, `}--${option}${value === undefined ? '' : ` ${value}`} ${what}`
      expect([option, text.includes(` ${flag}`)]).toEqual([
        option,
        (commands[name].options as readonly string[]).includes(option),
      ])
    }
  })

  it('is printed in columns within the width of a terminal', () => {
    const lines = helpOf(name).split('\n')
    expect(lines.filter(line => line.length > 130)).toEqual([])
    const starts = lines.flatMap(line => /^ {2}\S.*? {2,}(?=\S)/.exec(line)?.[0].length ?? [])
    expect(new Set(starts).size).toBe(1)
    const [column = 0] = starts
    const continued = lines.filter(line => /^ {3,}\S/.test(line))
    expect(continued.filter(line => line.search(/\S/) !== column)).toEqual([])
  })
})

it.each<[CommandName, page: string, section: string]>([
  ['dev', 'dev-server.md', 'Flags'],
  ['init', 'init.md', 'Options'],
])('the options of rxauth %s are those of its page', (name, page, section) => {
  const [, text = ''] = readFileSync(join(root, 'docs', page), 'utf8').split(`## ${section}\n`)
  const [table = ''] = text.split('\n## ')
  const cells = [...table.matchAll(/^\| (`.*?`) +\|/gm)].map(([, cell = '']) => cell)
  const flags = cells.flatMap(cell => [...cell.matchAll(/`--([\w-]+)/g)].map(([, flag = '']) => flag))
  const known: readonly string[] = commands[name].options
  expect([...flags, 'help'].filter((flag, index, all) => all.indexOf(flag) === index).sort()).toEqual([...known].sort())
})

it.each([['help'], ['--help'], ['-h'], ['help', '--help'], ['help', '-h'], ['help', 'help']])(
  'the help of the program names each command: %j',
  async (...args) => {
    const help = await printed(...args)
    expect(help).toBe(helpOf(null))
    for (const { usage, summary } of Object.values(commands))
      expect(help).toMatch(new RegExp(`  ${escaped(usage)} +${escaped(summary)}`))
    expect(help).toMatch(/^Usage: rxauth <command> \[options\]\n/)
    expect(help).toContain('The default port is 8102.')
  },
)

it.each([['--version'], ['-v'], ['dev', '--version'], ['dev', '-v']])(
  'the version is printed by %s %s',
  async (...args) => {
    expect(await printed(...args)).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
  },
)

function escaped(text: string): string {
  return text.replace(/[^\w\s]/g, '\\$&')
}
