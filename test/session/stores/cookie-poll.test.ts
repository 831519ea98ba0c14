import { virtualClock } from 'rxauth/platform'
import { BehaviorSubject } from 'rxjs'
import { cookieChanges } from '../../../src/session/stores/cookie-tokens'

const world = globalThis as { cookieStore?: EventTarget }

afterEach(() => {
  delete world.cookieStore
})

function setUp() {
  const browser = new EventTarget()
  world.cookieStore = browser
  const clock = virtualClock()
  const visible$ = new BehaviorSubject(true)
  let text = 'a=1'
  let reads = 0
  const cookies = {
    get() {
      reads++
      return text
    },
    set: () => undefined,
  }
  const told: number[] = []
  const watching = cookieChanges(cookies, clock, { visible$ }).subscribe(() => told.push(clock.now()))
  return {
    clock,
    visible$,
    told,
    watching,
    change: (next: string) => {
      text = next
      browser.dispatchEvent(new Event('change'))
    },
    reads: () => reads,
  }
}

describe('if the browser reports changes of cookies', () => {
  it('a change is seen at once', () => {
    const { change, told, clock } = setUp()
    change('a=2')
    expect(told).toEqual([clock.now()])
  })

  it('an event without a change emits nothing', () => {
    const { change, told } = setUp()
    change('a=1')
    expect(told).toEqual([])
  })

  it('cookies are not read while the page is hidden, and once when it is shown', () => {
    const { change, told, visible$, reads } = setUp()
    visible$.next(false)
    const before = reads()
    change('a=2')
    expect([told.length, reads()]).toEqual([0, before])
    visible$.next(true)
    expect([told.length, reads()]).toEqual([1, before + 1])
  })

  it('nothing is left after the last subscriber', async () => {
    const { change, told, watching, clock, reads } = setUp()
    watching.unsubscribe()
    const before = reads()
    change('a=2')
    await clock.advance(1000)
    expect([told, reads()]).toEqual([[], before])
  })
})

it('cookies that cannot be read for a while do not end the watch: changes are seen afterwards', async () => {
  const clock = virtualClock()
  let text: string | null = null
  const get = () => {
    if (text === null) throw new DOMException('the document is sandboxed', 'SecurityError')
    return text
  }
  const told: unknown[] = []
  const error = jest.fn()
  cookieChanges({ get, set: () => undefined }, clock, {}).subscribe({ next: () => told.push(text), error })
  for (const next of [null, 'a=1', null, 'a=1', 'a=2']) {
    text = next
    await clock.advance(100)
  }
  expect([told, error.mock.calls]).toEqual([['a=1', 'a=2'], []])
})
