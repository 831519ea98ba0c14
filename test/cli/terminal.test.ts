import { PassThrough } from 'node:stream'
import { processTerminal, whenSettled } from '../../src/cli/terminal'

describe('a change', () => {
  const changesOf = (...states: string[]) => {
    let changes = 0
    const look = whenSettled('before', () => changes++)
    for (const state of states) look(state)
    return changes
  }

  it.each([
    ['is none while nothing changes', ['before', 'before'], 0],
    ['is told once it has lasted', ['after', 'after', 'after'], 1],
    ['is not told while it goes on', ['', 'half', 'after'], 0],
    ['that is taken back is none', ['', 'before', 'before'], 0],
    ['is told each time', ['after', 'after', 'before', 'before'], 2],
  ])('%s', (_what, states, changes) => expect(changesOf(...states)).toBe(changes))
})

describe('output', () => {
  const own = process.stdout

  afterEach(() => {
    Object.defineProperty(process, 'stdout', { value: own, configurable: true })
  })

  // Promise: unread-output
  it('is dropped once what reads it has ended, as `head` does', () => {
    const stdout = new PassThrough()
    Object.defineProperty(process, 'stdout', { value: stdout, configurable: true })
    processTerminal()
    expect(stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBe(true)
    expect(() => stdout.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }))).toThrow('no space')
  })
})

describe('a question', () => {
  const own = { stdin: process.stdin, stdout: process.stdout }

  afterEach(() => {
    for (const [name, value] of Object.entries(own)) Object.defineProperty(process, name, { value, configurable: true })
  })

  // Promise: init-command
  it.each([
    ['an answer', 'y\r', 'y'],
    ['Ctrl-C', '\u0003', ''],
    ['the end of the input', '\u0004', ''],
  ])('ends with %s', async (_what, typed, answer) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
    for (const [name, value] of Object.entries({ stdin, stdout }))
      Object.defineProperty(process, name, { value, configurable: true })
    const asked = processTerminal().ask('Do this? (y/N) ')
    stdin.write(typed)
    expect(await asked).toBe(answer)
  })
})
