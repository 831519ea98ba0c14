import { systemClock } from '../../src/core/clock'
import { AuthError } from '../../src/errors/auth-error'
import { Commits } from '../../src/store/commit'
import { isKnown, pending, sameSnapshot, type Snapshot } from '../../src/store/snapshot'
import { View } from '../../src/store/view'
import { Trace } from '../../src/transport/transport'

const at = new Date(0)
const ready = { status: 'ready', value: 'tea', fetchedAt: at, refreshing: false, unconfirmed: 0 } as const
const error = new AuthError('NETWORK_ERROR', 'offline')
const failed = { status: 'failed', error, failedAt: at, refreshing: false } as const

const showing = (snapshot: Snapshot<unknown>) =>
  new View<unknown, unknown>(new Commits(new Trace(systemClock)), undefined, snapshot, () => undefined)

describe('the value of a view', () => {
  it.each<Snapshot<unknown>>([
    ready,
    { ...ready, refreshing: true },
    { ...ready, error },
    { ...ready, value: undefined },
    { ...ready, isHeld: false },
  ])('is known in %j', snapshot => {
    expect(isKnown(snapshot)).toBe(true)
    expect(showing(snapshot).value).toBe('value' in snapshot ? snapshot.value : 'none')
  })

  it.each<[string, Snapshot<string>]>([
    ['SESSION_CHANGED', pending],
    ['SESSION_CHANGED', { ...ready, refreshing: true, isHeld: true }],
    ['NETWORK_ERROR', failed],
    ['NETWORK_ERROR', { ...failed, refreshing: true }],
  ])('is not known, with %s, in %j', (code, snapshot) => {
    expect(isKnown(snapshot)).toBe(false)
    expect(() => showing(snapshot).value).toThrow(expect.objectContaining({ code }) as Error)
  })
})

describe('sameSnapshot', () => {
  it.each<[Snapshot<unknown>]>([[pending], [ready], [failed], [{ ...ready, value: NaN }]])(
    'keeps the object of an equal one: %j',
    snapshot => {
      expect(sameSnapshot(snapshot, { ...snapshot })).toBe(snapshot)
    },
  )

  it.each<[Snapshot<unknown>, Snapshot<unknown>]>([
    [pending, ready],
    [ready, failed],
    [ready, { ...ready, value: 'milk' }],
    [ready, { ...ready, refreshing: true }],
    [ready, { ...ready, unconfirmed: 1 }],
    [ready, { ...ready, fetchedAt: new Date(0) }],
    // One member more, and one fewer.
    [ready, { ...ready, error }],
    [{ ...ready, error }, ready],
    [
      { ...ready, isHeld: true },
      { ...ready, error },
    ],
    [
      { ...ready, value: { tea: 1 } },
      { ...ready, value: { tea: 1 } },
    ],
  ])('takes the other one: %j after %j', (previous, next) => {
    expect(sameSnapshot(previous, next)).toBe(next)
  })
})
