import type { Team } from 'rxauth'

/** The props of a page about a team. */
export interface OfTeam {
  readonly team: Team
}
