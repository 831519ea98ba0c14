import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../../world'
import { labId, opsId, watch } from '../teams/team-world'

export const expiresAt = new Date('2030-01-01T00:00:00Z')

export const teamId = opsId

export const unknownId = '00000000-0000-4000-8000-000000000000'

export async function make() {
  const one = await world({
    platform: {
      seed: {
        project: { config: { allowTeamApiKeys: true, allowUserApiKeys: true } },
        users: [ada, grace],
        teams: [
          { id: opsId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin'] }, grace] },
          { id: labId, displayName: 'Lab', members: [ada] },
        ],
      },
    },
  })
  const shown = await watch(one, one.app.teamApiKeys$({ teamId }), all => all)
  one.requests.length = 0
  const create = (description = 'ci') => one.settled(one.app.createTeamApiKey({ teamId, description, expiresAt }))
  return { ...one, shown, create, server: createServerApp(one.platform.serverOptions) }
}
