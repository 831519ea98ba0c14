import { auth$ } from '../entities/users/auth'
import { shownNow } from '../extras/record/state'
import { argsKey } from '../store/source'
import type { Checked } from './checked'
import { Player } from './player'
import type { DecisionDivergence, PlayOptions } from './player'
import type { Replayed } from './replay'

export { checked } from './checked'

/** Plays a recording until a decision differs. */
export async function played(
  recording: Checked,
  options?: PlayOptions,
): Promise<Replayed & { readonly divergence: DecisionDivergence | undefined }> {
  const player = new Player(recording, options)
  try {
    await player.play()
    const stores = shownNow(player.app.core).map(
      ({ store, input, snapshot }) => [`${store} ${argsKey(input)}`, snapshot] as const,
    )
    return {
      auth: auth$(player.app.kit).value,
      stores: Object.fromEntries(stores),
      divergence: player.divergence,
      decisions: player.made,
    }
  } finally {
    player.app.end()
  }
}
