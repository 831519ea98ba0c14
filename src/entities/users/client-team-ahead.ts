import type { Signal } from '../../core/web-types'
import { allOf } from '../../store/definition'
import type { Kit } from '../../store/kit'
import { loadAhead } from '../../store/load-ahead'
import type { Snapshot } from '../../store/snapshot'

/**
 * Loads, for the team that the user is about to be shown with, every watched store of the team that is `shown`. Undefined:
 * there is none, or it is the same team.
 */
export function teamAhead(
  kit: Kit,
  shown: Snapshot<{ readonly selectedTeamId: string | null } | null>,
  teamId: string | null | undefined,
  signal?: Signal,
): Promise<void> | undefined {
  const before = shown.status === 'ready' ? shown.value?.selectedTeamId : null
  if (!before || !teamId || before === teamId) return undefined
  return loadAhead(kit, allOf('team', { teamId: before }), { teamId }, signal)
}
