import { Listeners } from '../core/listeners'
import { toAuthError } from '../errors/auth-error'
import { argsIn } from '../session/tabs'
import { coreOf, slot, type Core, type Kit } from '../store/kit-parts'

/**
 * Calls `run` each time a write has taken effect, so that a router can render again on the server what a client has written:
 * once per write, after all stores of this kit show it, also for writes of the same user in other tabs, and for those that the
 * platform may have done although the answer is lost. Never for a load, a poll, a payload of the server, or an overlay.
 *
 * `stores`: the names of the stores that the write changes, as logs print them (`client GET /teams`); stores that nothing
 * uses are among them as far as the write names them. What `run` throws goes to `onUnhandled`. Returns a function that ends
 * it.
 *
 * @example
 * const stop = onCommitted(app, stores => console.log(`written: ${stores.join(', ')}`))
 * stop()
 */
export function onCommitted(kit: Kit, run: (stores: readonly string[]) => void): () => void {
  const core = coreOf(kit)
  core.assertAlive()
  const { session } = core
  const remove = slot(kit, key, () => followWrites(core)).add(stores => {
    // A listener before this one may have disposed of the kit.
    if (!session.ended.aborted) run(stores)
  })
  // Watched and read for the messages of other tabs, which say whose write it was.
  core.committedSession.look()
  const release = session.retain()
  return () => {
    remove()
    release()
  }
}

const key = {}

function followWrites({ cells, session, written, onUnhandled }: Core): Listeners<[stores: readonly string[]]> {
  const committed = new Listeners<[stores: readonly string[]]>(error => {
    onUnhandled(toAuthError(error))
  })
  const tell = (touched: readonly (readonly [key: string, args: Readonly<Record<string, unknown>>])[]) => {
    if (touched.length === 0 || session.ended.aborted) return
    // A key with `~` is a group, whose stores `cells.named` gives.
    const names = touched.flatMap(([key, args]) => [
      ...(key.startsWith('~') ? [] : [key]),
      ...cells.named(key, args).map(({ name }) => name),
    ])
    committed.tell([...new Set(names)])
  }
  written.add(touched => {
    tell(touched.map(({ source, args }) => [source.key, args]))
  })
  session.stale.add(({ userId, stores }) => {
    if (userId === null || userId === session.identity.userId)
      tell(stores.map(([key, args]) => [key, argsIn(args) ?? {}]))
  })
  return committed
}
