import { derive, mutation, patch, query, type ClientOptions, type Kit, type Read, type Store } from 'rxauth'
import { coreOf } from '../../src/store/kit-parts'
import { Backend, ownKit } from './own-backend'

/** Two stores with backends of the test, and writes that touch them, for tests of derived stores. */
export function pair(
  {
    left = 'session',
    right = 'session',
  }: { readonly left?: 'app' | 'session'; readonly right?: 'app' | 'session' } = {},
  options: Partial<ClientOptions> & { readonly person?: string | null } = {},
) {
  const own = ownKit(options)
  const backends = { left: new Backend<string>(), right: new Backend<string>() }
  const define = (key: 'left' | 'right', ownedBy: 'app' | 'session') =>
    ownedBy === 'app'
      ? query(backends[key].ask, { key, ownedBy })
      : query(backends[key].ask, { key, ownedBy, signedOut: `no ${key}` })
  const left$ = define('left', left)
  const right$ = define('right', right)
  const writes = new Backend<string>()
  /** The answer contains the left value; the right one has to load. */
  const write = mutation<{ readonly to: string }, string>(writes.ask, {
    refreshes: () => [left$, right$],
    writes: (_, to) => [patch(left$, {}, () => to)],
  })
  /** The answer contains both values. */
  const writeBoth = mutation(async (_: Kit, { to }: { readonly to: string }) => to, {
    refreshes: () => [left$, right$],
    writes: (_, to) => [patch(left$, {}, () => `left ${to}`), patch(right$, {}, () => `right ${to}`)],
  })
  const stores = { left: left$(own.kit), right: right$(own.kit) }
  const counted = { times: 0 }
  return {
    ...own,
    ...stores,
    backends,
    writes,
    left$,
    right$,
    write,
    writeBoth,
    /** The number of computations. */
    counted,
    both: derive(own.kit, read => {
      counted.times++
      return `${read(stores.left)}, ${read(stores.right)}`
    }),
    derive: <T>(compute: (read: Read) => T): Store<T> => derive(own.kit, compute),
    asked: () => [backends.left.asked.length, backends.right.asked.length],
    cells: () => [...coreOf(own.kit).cells].length,
    /** Lets each backend answer its last request. */
    async answerBoth(left: string, right: string) {
      await own.answer(backends.left, left)
      await own.answer(backends.right, right)
    },
    async fail(which: 'left' | 'right', error: unknown = new Error('down')) {
      await own.refuse(backends[which] as Backend<never>, error)
    },
  }
}
