import { Observable } from 'rxjs'
import type { Observer, Subscriber } from 'rxjs'
import { Audience } from '../../src/store/audience'

/** A subscriber that keeps a diary; `onNext` runs after each entry. */
function member(onNext?: () => void): { readonly diary: unknown[]; readonly subscriber: Subscriber<number> } {
  const diary: unknown[] = []
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
  return { diary, subscriber }
}

/** What RxJS makes of an observer. */
function subscriberOf(observer: Partial<Observer<number>>): Subscriber<number> {
  let made: Subscriber<number> | undefined
  new Observable<number>(subscriber => {
    made = subscriber
  }).subscribe(observer)
  if (!made) throw new Error('nobody has subscribed')
  return made
}

describe('an audience', () => {
  it('is told in the order of coming, and not after leaving', () => {
    const audience = new Audience<number>()
    const order: string[] = []
    const first = member(() => order.push('first'))
    const second = member(() => order.push('second'))
    audience.add(first.subscriber)
    audience.add(second.subscriber)
    audience.next(1)
    audience.remove(first.subscriber)
    audience.next(2)
    expect(order).toEqual(['first', 'second', 'second'])
    expect(second.diary).toEqual([1, 2])
  })

  it('does not tell somebody whom another one has sent away while it tells', () => {
    const audience = new Audience<number>()
    const second = member()
    const first = member(() => {
      second.subscriber.unsubscribe()
      audience.remove(second.subscriber)
    })
    audience.add(first.subscriber)
    audience.add(second.subscriber)
    audience.next(1)
    expect(second.diary).toEqual([])
  })

  it('does not keep somebody who had gone before being added', () => {
    const audience = new Audience<number>()
    const gone = member()
    const added = jest.spyOn(gone.subscriber, 'next')
    gone.subscriber.unsubscribe()
    audience.add(gone.subscriber)
    audience.next(1)
    expect(added).not.toHaveBeenCalled()
  })

  it('that fails ends those who are there, even if one of them comes back, and goes on for others', () => {
    const audience = new Audience<number>()
    const later = member()
    const failed = subscriberOf({
      error() {
        audience.add(later.subscriber)
      },
    })
    audience.add(failed)
    audience.fail('bad')
    audience.next(1)
    expect(later.diary).toEqual([1])
  })

  it.each([
    [undefined, 'complete'],
    ['bad', 'bad'],
  ])('that ends with %j ends everybody so, whoever comes later included', (error, said) => {
    const audience = new Audience<number>()
    const before = member()
    const after = member()
    audience.add(before.subscriber)
    audience.end(error)
    audience.add(after.subscriber)
    audience.next(1)
    expect([before.diary, after.diary]).toEqual([[said], [said]])
  })
})
