import { auth$ } from '../entities/users/auth'
import type { Auth } from '../entities/users/auth'
import type { DecisionForm } from '../extras/record/forms'
import { shownNow } from '../extras/record/state'
import { argsKey } from '../store/source'
import { checked } from './checked'
import { Player } from './player'
import type { DecisionDivergence, PlayOptions } from './player'

/** The end of a playing. */
export interface Played {
  readonly auth: Auth
  /** Snapshots by the names that `dehydrate` gives their stores. */
  readonly stores: Readonly<Record<string, unknown>>
  readonly divergence: DecisionDivergence | undefined
  /** All decisions of the kit. */
  readonly decisions: readonly DecisionForm[]
}

/** Plays a recording until a decision differs. Throws INVALID_INPUT for what is no recording. */
export async function played(recording: unknown, options?: PlayOptions): Promise<Played> {
  const player = new Player(checked(recording), options)
  try {
    await player.play()
    const stores = shownNow(player.app.core).map(({ store, input, snapshot }) => [
      `${store} ${argsKey(input)}`,
      snapshot,
    ])
    return {
      auth: auth$(player.app.kit).value,
      stores: Object.fromEntries(stores) as Played['stores'],
      divergence: player.divergence,
      decisions: player.made,
    }
  } finally {
    player.app.end()
  }
}
