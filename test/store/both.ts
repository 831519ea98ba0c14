import { mutation, patch, query, type Kit, type Store } from 'rxauth'
import { endSession } from '../../src/store/session-effects'
import { Backend, ownKit, record } from './own-backend'

export const first$ = query(async () => 'first 0', { key: 'first', ownedBy: 'session', signedOut: 'no first' })
export const second$ = query(async () => 'second 0', { key: 'second', ownedBy: 'session', signedOut: 'no second' })

/** Changes both stores in one commit. */
export const writeBoth = mutation(async (_kit: Kit, { to }: { to: string }) => to, {
  refreshes: () => [first$, second$],
  writes: (_, to) => [patch(first$, {}, () => `first ${to}`), patch(second$, {}, () => `second ${to}`)],
})

export async function both() {
  const own = ownKit()
  const stores = [first$(own.kit), second$(own.kit)] as const
  for (const store of stores) record(store)
  await own.run()
  const signOut = () => void endSession(own.kit, 'signed-out')
  return { ...own, first: stores[0], second: stores[1], signOut }
}

/** The overlay of a write does not fit its next value; onUnhandled signs out. */
export async function misfit() {
  const own = ownKit({ onUnhandled: () => void endSession(own.kit, 'signed-out') })
  const reads = new Backend<string>()
  const text$ = query(reads.ask, { key: 'text', ownedBy: 'session', signedOut: 'no first' })
  const show = mutation(() => new Promise<string>(() => undefined), {
    refreshes: () => [text$],
    optimistic: () => [
      patch(text$, {}, text => {
        if (text === 'newer') throw new Error('does not fit')
        return 'shown'
      }),
    ],
  })
  const [first, second] = [text$(own.kit), second$(own.kit)]
  record(first)
  record(second)
  await own.answer(reads, 'older')
  await own.clock.advance(300)
  void show(own.kit, {})
  await own.run()
  return { ...own, first, second, reads }
}

export function valueOf(store: Store<unknown>): unknown {
  return store.snapshot.status === 'ready' ? store.snapshot.value : store.snapshot.status
}
