/** @jest-environment ./test/setup/jsdom-environment.ts */
import { navigator } from '../../src/navigation/navigate'

/** The number of history entries, and the present URL. */
function moved(run: () => void): [entries: number, hash: string] {
  const before = window.history.length
  run()
  return [window.history.length - before, window.location.hash]
}

// jsdom can only navigate within the same page.
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

describe('in any environment', () => {
  it("with 'none' there is no function to navigate with", () => {
    expect(navigator('none')).toBeUndefined()
  })

  it('a router’s function navigates, with all its arguments', () => {
    const route = jest.fn()
    const go = navigator(route)!
    go('/a?b=c#d', { replace: true })
    expect(route.mock.calls).toEqual([['/a?b=c#d', { replace: true }]])
    const { hash } = window.location
    expect(moved(() => go('#elsewhere', { replace: false }))).toEqual([0, hash])
  })
})
