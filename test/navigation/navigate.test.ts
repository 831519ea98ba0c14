/** @jest-environment ./test/setup/jsdom-environment.ts */
import { navigator } from '../../src/navigation/urls'

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

describe('with a <base> of another origin', () => {
  const base = document.createElement('base')
  base.href = 'https://other.example/dir/'

  beforeEach(() => {
    document.head.append(base)
  })

  afterEach(() => {
    base.remove()
  })

  // Promise: base-element
  it.each([false, true])('the window stays at the origin of the page (replace: %s)', replace => {
    const go = navigator('window')!
    const before = window.location.pathname
    // Elsewhere jsdom would not navigate.
    expect(document.baseURI).toBe('https://other.example/dir/')
    expect(moved(() => go(`#based-${replace}`, { replace }))[1]).toBe(`#based-${replace}`)
    expect(moved(() => go(`${before}#path-${replace}`, { replace }))[1]).toBe(`#path-${replace}`)
  })

  it('a router gets the target as it is', () => {
    const route = jest.fn()
    navigator(route)!('/a', { replace: false })
    expect(route.mock.calls).toEqual([['/a', { replace: false }]])
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
