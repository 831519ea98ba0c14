import { whenSettled } from '../../../src/platform/node/terminal'

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
