import { Observable } from 'rxjs'
import type { Observer, Subscriber } from 'rxjs'
import { Audience } from '../../src/store/audience'

/** A subscriber that joins the audience at once, and the values that it has received. */
function comes(audience: Audience<number>, onNext?: () => void) {
  const diary: unknown[] = []
  const left = jest.fn()
  const subscriber = subscriberOf({
    next(value) {
      diary.push(value)
      onNext?.()
    },
    error(error) {
      diary.push(error)
    },
    complete() {
      diary.push('complete')
    },
  })
  const seat = audience.seat(subscriber, left)
  audience.add(seat)
  return { diary, left, subscriber, leave: () => subscriber.unsubscribe() }
}

/** The subscriber that RxJS makes of an observer. */
function subscriberOf(observer: Partial<Observer<number>>): Subscriber<number> {
  let made: Subscriber<number> | undefined
  new Observable<number>(subscriber => {
    made = subscriber
  }).subscribe(observer)
  if (!made) throw new Error('there is no subscriber')
  return made
}

describe('an audience', () => {
  it('is notified in order of subscription, and not after leaving', () => {
    const audience = new Audience<number>()
    const order: string[] = []
    const [first, second, third] = ['first', 'second', 'third'].map(name => comes(audience, () => order.push(name)))
    audience.next(1)
    second?.leave()
    audience.next(2)
    first?.leave()
    const fourth = comes(audience, () => order.push('fourth'))
    third?.leave()
    audience.next(3)
    fourth.leave()
    audience.next(4)
    expect(order.join(' ')).toBe('first second third first third fourth')
    expect([first, second, third, fourth].map(one => one?.left.mock.calls.length)).toEqual([1, 1, 1, 1])
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
  ])('skips subscribers that leave during notification, and notifies the others: %s', (_, leaving, expected) => {
    const audience = new Audience<number>()
    const told: number[] = []
    const people = [0, 1, 2, 3].map(index =>
      comes(audience, () => {
        told.push(index)
        if (index === 1) for (const one of leaving) people[one]?.leave()
      }),
    )
    audience.next(1)
    expect(told).toEqual(expected)
    told.length = 0
    audience.next(2)
    expect(told).toEqual([0, 1, 2, 3].filter(index => !leaving.includes(index)))
  })

  it('does not notify a seat before it is added, nor keep one whose subscriber left before', () => {
    const audience = new Audience<number>()
    const [early, gone] = [subscriberOf({}), subscriberOf({})]
    const tells = [early, gone].map(subscriber => jest.spyOn(subscriber, 'next'))
    const left = jest.fn()
    audience.seat(early, left)
    const seat = audience.seat(gone, left)
    gone.unsubscribe()
    audience.add(seat)
    audience.next(1)
    expect(tells.map(tell => tell.mock.calls.length)).toEqual([0, 0])
    expect(left).toHaveBeenCalledTimes(1)
  })

  it('lets a closed subscriber leave at once', () => {
    const left = jest.fn()
    const gone = subscriberOf({})
    gone.unsubscribe()
    new Audience<number>().seat(gone, left)
    expect(left).toHaveBeenCalledTimes(1)
  })

  it('that fails ends the present subscribers, even if one joins meanwhile, and continues for others', () => {
    const audience = new Audience<number>()
    const [first, second] = [comes(audience), comes(audience)]
    let later: ReturnType<typeof comes> | undefined
    first.subscriber.add(() => (later = comes(audience)))
    audience.fail('bad')
    audience.next(1)
    expect([first.diary, second.diary, later?.diary]).toEqual([['bad'], ['bad'], [1]])
    expect([first, second].map(({ left }) => left.mock.calls.length)).toEqual([1, 1])
  })

  it.each([
    [undefined, 'complete'],
    ['bad', 'bad'],
  ])('that ends with %j ends all subscribers with it, including later ones', (error, said) => {
    const audience = new Audience<number>()
    const before = comes(audience)
    audience.end(error)
    const after = comes(audience)
    audience.next(1)
    expect([before.diary, after.diary]).toEqual([[said], [said]])
    expect([before, after].map(({ left }) => left.mock.calls.length)).toEqual([1, 1])
  })
})
