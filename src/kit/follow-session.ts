import { argsIn } from '../session/tabs'
import type { Core } from '../store/core'

/** Commits what a change of the session, or a write in another tab, means for the stores of the kit. */
export function followSession({ session, committedSession, commits, cells, transport, changing }: Core): void {
  session.changed.add((change, cause) => {
    const { kind: to } = session.identity
    commits.run(`session: ${cause}`, () => {
      changing.tell(cause)
      const isOther = change === 'other'
      if (isOther || (change === 'learnt' && to === 'signed-out'))
        for (const cell of [...cells]) if (cell.isOwned) cell.reset(undefined, !isOther)
      commits.touch(committedSession)
      for (const cell of cells) if (cell.source.shown) commits.touch(cell)
    })
    // After all stores show it: this commit may have to wait for another one's notifications.
    if (change !== 'none')
      commits.after(() => {
        transport.trace.emit(() => ({ type: 'identity', to, cause }))
      })
  })
  session.stale.add(({ userId, stores }) => {
    cells.changedAt = session.clock.now()
    // Each cell once: a second time would outdate the load that the first has started.
    const stale = new Set(stores.flatMap(([name, args]) => cells.named(name, argsIn(args) ?? {})))
    const mayBeOurs = userId === null || userId === session.identity.userId
    for (const cell of stale) if (!cell.isOwned || mayBeOurs) void cell.invalidate(cells.tick())
  })
}
