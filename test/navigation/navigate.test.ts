/** @jest-environment ./test/setup/jsdom-environment.ts */
import { navigator } from '../../src/navigation/navigate'

/** How many entries the history has got, and where the page is. */
function moved(run: () => void): [entries: number, hash: string] {
  const before = window.history.length
  run()
  return [window.history.length - before, window.location.hash]
}

// The only addresses that jsdom can go to are those of the same page.
describe.each([
  ['by default', undefined],
  ["with 'window'", 'window' as const],
])('in a page, %s,', (_, navigate) => {
  it('going somewhere adds an entry to the history', () => {
    const go = navigator(navigate)!
    expect(moved(() => go('#added', { replace: false }))).toEqual([1, '#added'])
  })

  it('replacing leaves none', () => {
    const go = navigator(navigate)!
    expect(moved(() => go('#replaced', { replace: true }))).toEqual([0, '#replaced'])
  })
})

describe('whatever the surroundings', () => {
  it("with 'none' there is nothing to go with", () => {
    expect(navigator('none')).toBeUndefined()
  })

  it('the function of a router is what goes, with all that it is to know', () => {
    const route = jest.fn()
    const go = navigator(route)!
    go('/a?b=c#d', { replace: true })
    expect(route.mock.calls).toEqual([['/a?b=c#d', { replace: true }]])
    const { hash } = window.location
    expect(moved(() => go('#elsewhere', { replace: false }))).toEqual([0, hash])
  })
})
