import { readFileSync } from 'node:fs'
import { runs } from '../runs'
import { small } from './mutants'
import { prove } from './prove'
import type { Scope } from './state'

type Case = readonly [what: string, scope: Scope, states: number, named: number]

/** What the search tries, and how many states it finds: apart from the names of the tabs, and with them. */
const few: readonly Case[] = [
  ['2 tabs without locks', { ...small, writes: 1, hasLocks: false }, 13_433, 26_557],
  ['2 tabs, where refresh tokens stay', { ...small, writes: 1, isRotating: false }, 5851, 11_481],
]
const ofThree: readonly Case[] = [
  ['3 tabs and 2 people, with one fault', { ...small, tabs: 3, faults: 1 }, 48_300, 265_738],
  ['3 tabs and 2 people, with a write', { ...small, tabs: 3, writes: 1 }, 20_419, 110_817],
]
const large: readonly Case[] = [
  ['3 tabs and 2 people, with one fault and a write', { ...small, tabs: 3, faults: 1, writes: 1 }, 501_074, 2_892_498],
  ['3 tabs that sleep twice, with one fault', { ...small, tabs: 3, faults: 1, expiries: 2 }, 536_626, 3_085_572],
  ['2 tabs with two faults and a write', { ...small, faults: 2, writes: 1 }, 619_008, 1_235_247],
]
const all = [...few, ...ofThree, ...large]

describe('the session protocol', () => {
  // Promise: session-model
  it.each(runs(few, all))('of %s breaks no rule in any state', (_, scope, states, named) => {
    expect(prove(scope)).toEqual({ states, named })
  })

  it('has the numbers of states that the page of proofs says', () => {
    const page = readFileSync('docs/proofs.md', 'utf8')
    const text = (states: number) => states.toLocaleString('en-US')
    for (const [, , states, named] of all) expect(page).toMatch(new RegExp(` ${text(states)} \\| +${text(named)} `))
  })

  it('of 3 tabs and 2 people has 100,000 states or more', () => {
    for (const [, scope, , named] of ofThree) {
      expect([scope.tabs, scope.people.length]).toEqual([3, 2])
      expect(named).toBeGreaterThanOrEqual(100_000)
    }
  })
})
