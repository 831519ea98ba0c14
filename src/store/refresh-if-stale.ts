import { Subscription } from 'rxjs'
import { present } from '../core/host'
import { checkedPeriod } from '../transport/config'
import type { Core } from './kit-parts'
import { defaultMaxAgeMillis } from './cell'

/** When watched stores reload, apart from after writes. */
export interface RefreshOn {
  /** The page becomes visible. Default true. */
  readonly visible?: boolean
  /** The network returns. Default true. */
  readonly online?: boolean
  /** The interval in milliseconds, at most 2 147 483 647, while the page is visible. Default: never, as with Infinity. */
  readonly everyMillis?: number
}

/** The given options; throws INVALID_INPUT for an interval beyond the limit of timers. */
export function checkedRefreshOn({ everyMillis = Infinity, ...occasions }: RefreshOn = {}): RefreshOn {
  return { ...occasions, everyMillis: checkedPeriod('refreshOn.everyMillis', everyMillis) }
}

/**
 * Reloads watched values that are no longer fresh, on the occasions of `refreshOn`, until the returned function is called.
 */
export function refreshWatchedIfStale(
  core: Core,
  { visible = true, online = true, everyMillis = Infinity }: RefreshOn,
): () => void {
  const { host, clock, cells } = core
  const refreshStale = (maxAgeMillis?: number) => {
    for (const cell of [...cells]) cell.refreshIfStale(maxAgeMillis)
  }
  const occasions = new Subscription()
  for (const state$ of [visible ? host.visible$ : undefined, online ? host.online$ : undefined]) {
    let before = true
    occasions.add(
      state$?.subscribe(now => {
        if (now && !before) refreshStale()
        before = now
      }),
    )
  }
  if (everyMillis !== Infinity) {
    const again = () => {
      cancel = clock.setTimeout(
        () => {
          // Loads of the last tick are `everyMillis` old, others may have begun since.
          if (present(host.visible$, true)) refreshStale(Math.min(defaultMaxAgeMillis, everyMillis / 2))
          // A subscriber told of a load may have been the last.
          if (!occasions.closed) again()
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
