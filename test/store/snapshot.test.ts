import { AuthError } from '../../src/errors/auth-error'
import { isKnown, pending, sameSnapshot, valueOf } from '../../src/store/snapshot'
import type { Snapshot } from '../../src/store/snapshot'

const at = new Date(0)
const ready = { status: 'ready', value: 'tea', fetchedAt: at, refreshing: false, unconfirmed: 0 } as const
const error = new AuthError('NETWORK_ERROR', 'offline')
const failed = { status: 'failed', error, failedAt: at, refreshing: false } as const

describe('the value of a snapshot', () => {
  it.each<Snapshot<unknown>>([
    ready,
    { ...ready, refreshing: true },
    { ...ready, error },
    { ...ready, value: undefined },
    { ...ready, isHeld: false },
  ])('is known in %j', snapshot => {
    expect(isKnown(snapshot)).toBe(true)
    expect(valueOf(snapshot)).toBe('value' in snapshot ? snapshot.value : 'none')
  })

  it.each<[string, Snapshot<string>]>([
    ['SESSION_CHANGED', pending],
    ['SESSION_CHANGED', { ...ready, refreshing: true, isHeld: true }],
    ['NETWORK_ERROR', failed],
    ['NETWORK_ERROR', { ...failed, refreshing: true }],
  ])('is not known, with %s, in %j', (code, snapshot) => {
    expect(isKnown(snapshot)).toBe(false)
    expect(() => valueOf(snapshot)).toThrow(expect.objectContaining({ code }) as Error)
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
