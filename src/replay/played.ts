import { auth$, type Auth } from '../entities/users/auth'
import { isRecorded } from '../extras/record/forms'
import { shownNow } from '../extras/record/state'
import { argsKey } from '../store/source'
import type { Checked } from './checked'
import { decisionIn, Player, type DecisionDivergence, type Divergence, type PlayOptions } from './player'

export { checked } from './checked'

/** The end of a playing. */
export interface Replayed {
  readonly auth: Auth
  /** Snapshots of the stores that something watched, by the names that `dehydrate` gives them. */
  readonly stores: Readonly<Record<string, unknown>>
  /** The first decision that differs; undefined: none does. */
  readonly divergence: Divergence | undefined
  /** All decisions of the kit; `after`: the number of the input before each. */
  readonly decisions: readonly object[]
}

/** Plays a recording until a decision differs. */
export async function played(
  recording: Checked,
  options?: PlayOptions,
): Promise<Replayed & { readonly divergence: DecisionDivergence | undefined }> {
  const player = new Player(recording, options)
  try {
    await player.play()
    // Reads for the result may lead to more decisions.
    const { divergence } = player
    const stores = shownNow(player.app.core)
      .filter(([cell]) => isRecorded(cell))
      .map(([{ name, input }, snapshot]) => [`${name} ${argsKey(input)}`, snapshot] as const)
    return {
      auth: auth$(player.app.kit).value,
      stores: Object.fromEntries(stores),
      divergence,
      decisions: player.made.map(made => decisionIn(made, recording.events)),
    }
  } finally {
    player.app.end()
  }
}
