import { Observable, type Observer } from 'rxjs'
import { systemClock } from '../../src/core/clock'
import { Commits } from '../../src/store/commit'
import { pending, type Snapshot } from '../../src/store/snapshot'
import { View } from '../../src/store/view'
import { Trace } from '../../src/transport/transport'

const date = new Date(0)
const ready = (value: number): Snapshot<number> => ({
  status: 'ready',
  value,
  fetchedAt: date,
  refreshing: false,
  unconfirmed: 0,
})

/** A view, with a count of the subscribers that have left. */
function world() {
  const commits = new Commits(new Trace(systemClock))
  const left = jest.fn()
  const thrown: unknown[] = []
  const view = new View<number, number>(commits, undefined, pending, left)
  const member = {
    name: 'view',
    take: () => view.hasNews,
    tell() {
      view.tell(error => thrown.push(error))
    },
  }
  const show = (next: Snapshot<number>) => {
    commits.run('show', () => {
      view.take(next)
      commits.touch(member)
    })
  }
  const values$ = new Observable<number>(subscriber => {
    const isFirst = commits.begin()
    view.emitValues(subscriber, isFirst)
    if (isFirst) commits.end()
  })
  const snapshots$ = new Observable<Snapshot<number>>(subscriber => {
    view.emitSnapshots(subscriber)
  })
  return { view, left, show, values$, snapshots$, thrown }
}

/** What an observer is told, in order. */
function diaryOf<T>(onNext?: () => void): Observer<T> & { readonly told: unknown[] } {
  const told: unknown[] = []
  return {
    told,
    next(value) {
      told.push(value)
      onNext?.()
    },
    error(error) {
      told.push(error)
    },
    complete() {
      told.push('complete')
    },
  }
}

describe('listeners and subscribers of a view', () => {
  it('are told in order of subscription, and not after leaving', () => {
    const { left, show, values$ } = world()
    const order: string[] = []
    const comes = (name: string) => values$.subscribe(() => order.push(name))
    const [first, second, third] = ['first', 'second', 'third'].map(comes)
    show(ready(1))
    second?.unsubscribe()
    show(ready(2))
    first?.unsubscribe()
    order.push('|')
    const fourth = comes('fourth')
    third?.unsubscribe()
    show(ready(3))
    fourth.unsubscribe()
    show(ready(4))
    expect(order.join(' ')).toBe('first second third first third | fourth fourth')
    expect(left).toHaveBeenCalledTimes(4)
  })

  it.each([
    ['the notified one', [1], [0, 1, 2, 3]],
    ['the one before', [0], [0, 1, 2, 3]],
    ['the next', [2], [0, 1, 3]],
    ['the notified one and the next', [1, 2], [0, 1, 3]],
    ['the next and the notified one', [2, 1], [0, 1, 3]],
    ['the last', [3], [0, 1, 2]],
    ['all', [0, 1, 2, 3], [0, 1]],
    ['all, the last first', [3, 2, 1, 0], [0, 1]],
  ])('are skipped if they leave meanwhile, and the others are told: %s', (_, leaving, expected) => {
    const { show, values$, left } = world()
    const told: number[] = []
    const people = [0, 1, 2, 3].map(index =>
      values$.subscribe(() => {
        told.push(index)
        if (index === 1) for (const one of leaving) people[one]?.unsubscribe()
      }),
    )
    show(ready(1))
    expect(told).toEqual(expected)
    told.length = 0
    show(ready(2))
    expect(told).toEqual([0, 1, 2, 3].filter(index => !leaving.includes(index)))
    expect(left).toHaveBeenCalledTimes(leaving.length)
  })

  it('leave once, also by unsubscribing while they are told for the first time', () => {
    const { show, values$, left } = world()
    show(ready(1))
    const diary = diaryOf<number>()
    const subscription = values$.subscribe(diary)
    subscription.unsubscribe()
    subscription.unsubscribe()
    new Observable<number>(subscriber => {
      values$.subscribe(subscriber)
    })
      .subscribe(diary)
      .unsubscribe()
    expect(left).toHaveBeenCalledTimes(2)
    expect(diary.told).toEqual([1, 1])
  })

  it('fail together; one that comes meanwhile waits for the next value', () => {
    const { show, values$, left } = world()
    const later = diaryOf<number>()
    const first = { ...diaryOf<number>(), error: () => values$.subscribe(later) }
    const second = diaryOf<number>()
    values$.subscribe(first)
    values$.subscribe(second)
    show({ status: 'failed', error: 'bad' as never, failedAt: date, refreshing: false })
    show(ready(1))
    expect([second.told, later.told]).toEqual([['bad'], [1]])
    expect(left).toHaveBeenCalledTimes(2)
  })

  it.each([
    [undefined, 'complete'],
    ['bad', 'bad'],
  ])('end with the view, by %j, also those that have come while others were told', (error, said) => {
    const { view, show, values$, snapshots$, left } = world()
    const late = diaryOf<number>()
    const lateSnapshots = diaryOf<Snapshot<number>>()
    const before = diaryOf<number>(() => {
      values$.subscribe(late)
      snapshots$.subscribe(lateSnapshots)
      view.end(error)
    })
    values$.subscribe(before)
    show(ready(1))
    expect([before.told, late.told]).toEqual([
      [1, said],
      [1, said],
    ])
    expect(lateSnapshots.told).toEqual([ready(1), 'complete'])
    expect(left).toHaveBeenCalledTimes(3)
  })

  it('may listen twice with one callback, also while others are told, and stop one of the two', () => {
    const { view, show } = world()
    const callback = jest.fn()
    let stops: (() => void)[] | undefined
    view.listen(() => {
      stops ??= [view.listen(callback), view.listen(callback), view.listen(callback)]
    })
    show(ready(1))
    expect(callback).not.toHaveBeenCalled()
    stops?.[0]?.()
    show(ready(2))
    expect(callback).toHaveBeenCalledTimes(2)
  })

  it('that stop while others are told, before they are listened to, are never called', () => {
    const { view, show, left } = world()
    const callback = jest.fn()
    view.listen(() => {
      view.listen(callback)()
    })
    show(ready(1))
    show(ready(2))
    expect(callback).not.toHaveBeenCalled()
    expect(left).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['a listener', true],
    ['a subscriber', false],
  ])('see each snapshot once, also if %s subscribes to it while it is told', (_, isListener) => {
    const { view, show, snapshots$, values$ } = world()
    const late = diaryOf<Snapshot<number>>()
    let isThere = false
    const come = () => {
      if (!isThere) snapshots$.subscribe(late)
      isThere = true
    }
    if (isListener) view.listen(come)
    else values$.subscribe(come)
    show(ready(1))
    show(ready(2))
    expect(late.told).toEqual([ready(1), ready(2)])
  })
})
