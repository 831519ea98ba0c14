// The cost of a write that reaches a subscriber through many derived stores: proportional to the number of stores, and
// compared with the same atoms of jotai.
import { atom, createStore, type Atom } from 'jotai/vanilla'
import { createKit, derive, memoryTokens, mutation, patch, query, type Store } from 'rxauth'
import { compareInTurn } from './measure'

const kit = createKit({ baseUrl: 'http://localhost', tokens: memoryTokens() })
let told = 0
let value = 0

/** A chain of stores, each of which reads the one before. */
function chain(first: Store<number>, length: number): Store<number> {
  let last = first
  for (let index = 0; index < length; index++) {
    const before = last
    last = derive(kit, read => read(before) + 1)
  }
  return last
}

/** A chain of pairs; each one joins the two stores that read the join before, so the number of paths doubles. */
function diamonds(first: Store<number>, length: number): Store<number> {
  let last = first
  for (let index = 0; index < length; index++) {
    const before = last
    const [one, other] = [derive(kit, read => read(before) + 1), derive(kit, read => read(before) - 1)]
    last = derive(kit, read => (read(one) + read(other)) / 2)
  }
  return last
}

/** The same diamonds as atoms, and a case that sets the first one. */
function peer(length: number) {
  const first = atom(0)
  let last: Atom<number> = first
  for (let index = 0; index < length; index++) {
    const before = last
    const [one, other] = [atom(get => get(before) + 1), atom(get => get(before) - 1)]
    last = atom(get => (get(one) + get(other)) / 2)
  }
  const store = createStore()
  store.sub(last, () => told++)
  const run = () => {
    store.set(first, ++value)
  }
  return [`${length} diamonds of jotai`, run] as const
}

/** A case: a write whose answer changes all stores. */
async function written(name: string, build: (first: Store<number>, length: number) => Store<number>, length: number) {
  const number$ = query(() => Promise.resolve(0), { key: name, ownedBy: 'app' })
  const set = mutation((_kit, { value }: { readonly value: number }) => Promise.resolve(value), {
    refreshes: () => [],
    writes: (_input, value) => [patch(number$, {}, () => value)],
  })
  await number$(kit).get()
  build(number$(kit), length).subscribe(() => told++)
  const run = () => set(kit, { value: ++value })
  const before = told
  await run()
  if (told !== before + 1) throw new Error(`a write tells the subscriber of ${name} ${told - before} times`)
  return [name, run] as const
}

// Four times as many stores cost about four times as much, twice as many twice.
await compareInTurn('a write that many derived stores show', [
  await written('a chain of 50', chain, 50),
  [...(await written('a chain of 200', chain, 200)), 6],
])
await compareInTurn('a write on which many ways lead to the subscriber', [
  await written('7 diamonds', diamonds, 7),
  [...(await written('14 diamonds', diamonds, 14)), 3],
])
// A write of the kit is more than a new value: it captures the identity, can be aborted, and a commit looks at the other derived
// stores that are watched, 300 here. Beside few stores these 70 µs are most of the time.
for (const [length, target] of [[4, 3] as const, [14, 1.7] as const, [100, 1.2] as const])
  await compareInTurn(`a write through ${length} diamonds`, [
    peer(length),
    [...(await written(`${length} diamonds beside jotai`, diamonds, length)), target],
  ])

kit.dispose()
