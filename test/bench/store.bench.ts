import { BehaviorSubject } from 'rxjs'
import { createKit, memoryTokens, mutation, patch, query } from 'rxauth'
import { bytesEach, compare, print } from './measure'

const many = 10_000
const counter$ = query(() => Promise.resolve(0), { key: 'counter', ownedBy: 'app' })
const set = mutation((_kit, { value }: { readonly value: number }) => Promise.resolve(value), {
  refreshes: () => [],
  writes: (_input, value) => [patch(counter$, {}, () => value)],
})

const kit = createKit({ baseUrl: 'http://localhost', tokens: memoryTokens() })
const store = counter$(kit)
await store.get()

let calls = 0
let value = 0
const count = () => {
  calls++
}

{
  const callbacks = Array.from({ length: many }, () => () => {
    calls++
  })
  const raw = new Set(callbacks)
  const stops = callbacks.map(callback => store.listen(callback))
  await compare(`telling ${many} plain listeners`, [
    ['a raw Set of callbacks', () => raw.forEach(callback => callback())],
    ['store.listen', () => set(kit, { value: ++value }), 1.9],
  ])
  for (const stop of stops) stop()
}

{
  const bare$ = new BehaviorSubject(0)
  const bare = Array.from({ length: many }, () => bare$.subscribe(count))
  const ours = Array.from({ length: many }, () => store.subscribe(count))
  await compare(`telling ${many} RxJS subscribers`, [
    ['a bare BehaviorSubject', () => bare$.next(++value)],
    ['store.subscribe', () => set(kit, { value: ++value }), 1.2],
  ])
  for (const subscription of [...bare, ...ours]) subscription.unsubscribe()
}

{
  const bare$ = new BehaviorSubject(0)
  const kept = [bare$.subscribe(count), store.subscribe(count)]
  const times = 1000
  const repeated = (subscribe: () => { unsubscribe(): void }) => () => {
    for (let i = 0; i < times; i++) subscribe().unsubscribe()
  }
  await compare(`subscribing and unsubscribing ${times} times`, [
    ['a bare BehaviorSubject', repeated(() => bare$.subscribe(count))],
    ['store.subscribe', repeated(() => store.subscribe(count)), 1.6],
  ])
  for (const subscription of kept) subscription.unsubscribe()
}

{
  // Enough that other objects on the heap do not count.
  const held = 100_000
  // The app's own callbacks, which it would keep anyway.
  const callbacks = Array.from({ length: held }, () => () => {
    calls++
  })
  const bare$ = new BehaviorSubject(0)
  const listener = bytesEach(held, () => {
    const stops = callbacks.map(callback => store.listen(callback))
    return {
      release() {
        for (const stop of stops) stop()
      },
    }
  })
  // Kept, since the subscription itself is used to unsubscribe.
  const subscriptions = (subscribe: () => { unsubscribe(): void }) => (length: number) => {
    const all = Array.from({ length }, subscribe)
    return {
      release() {
        for (const one of all) one.unsubscribe()
      },
    }
  }
  const bare = bytesEach(
    held,
    subscriptions(() => bare$.subscribe(count)),
  )
  const ours = bytesEach(
    held,
    subscriptions(() => store.subscribe(count)),
  )
  print('memory', [
    { name: 'an idle listener', value: `${listener.toFixed(0)} bytes`, bytes: listener, target: 150 },
    { name: 'a subscriber of a bare BehaviorSubject', value: `${bare.toFixed(0)} bytes` },
    { name: 'a subscriber of a store', value: `${ours.toFixed(0)} bytes`, ratio: ours / bare, target: 1.1 },
  ])
}

kit.dispose()
if (calls === 0) throw new Error('no subscriber was notified: these figures mean nothing')
