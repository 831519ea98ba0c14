import { Subscription } from 'rxjs'
import { present } from '../core/host'
import type { Core } from './kit'

/** When watched stores reload besides after writes. */
export interface RefreshOn {
  /** The page becomes visible. Default true. */
  readonly visible?: boolean
  /** The network returns. Default true. */
  readonly online?: boolean
  /** Every so many milliseconds, while the page is visible. Default: never. */
  readonly everyMillis?: number
}

/** Reloads what is watched and no longer fresh, on the occasions of `refreshOn`, until the returned function is called. */
export function reviveWatched(core: Core, { visible = true, online = true, everyMillis }: RefreshOn): () => void {
  const { host, clock, cells } = core
  const revive = () => {
    for (const cell of [...cells]) cell.revive()
  }
  const occasions = new Subscription()
  for (const state$ of [visible ? host.visible$ : undefined, online ? host.online$ : undefined]) {
    let before = true
    occasions.add(
      state$?.subscribe(now => {
        if (now && !before) revive()
        before = now
      }),
    )
  }
  if (everyMillis !== undefined) {
    const again = () => {
      cancel = clock.setTimeout(
        () => {
          if (present(host.visible$, true)) revive()
          again()
        },
        everyMillis,
        { keepAlive: false },
      )
    }
    let cancel: () => void
    again()
    occasions.add(() => {
      cancel()
    })
  }
  return () => {
    occasions.unsubscribe()
  }
}
