// The cost of a write that reaches a subscriber through many derived stores: proportional to the number of stores.
import { createKit, derive, memoryTokens, mutation, patch, query } from 'rxauth'
import type { Store } from 'rxauth'
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
  return { name, run }
}

// Four times as many stores cost about four times as much, twice as many twice.
await compareInTurn('a write that many derived stores show', [
  await written('a chain of 50', chain, 50),
  { ...(await written('a chain of 200', chain, 200)), against: 'a chain of 50', target: 6 },
])
await compareInTurn('a write on which many ways lead to the subscriber', [
  await written('7 diamonds', diamonds, 7),
  { ...(await written('14 diamonds', diamonds, 14)), against: '7 diamonds', target: 3 },
])

kit.dispose()
