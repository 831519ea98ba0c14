import type { Team } from 'rxauth'

/** The props of a page about a team. */
export interface TeamPageProps {
  readonly team: Team
}
