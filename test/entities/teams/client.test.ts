import * as v from 'valibot'
import { fromWire } from '../../../src/core/wire'
import { Team } from '../../../src/entities/teams/client'
import recorded from '../../wire/current-user.json'
import { labId, namesOf, teamWorld } from './team-world'

const lab = { id: labId, displayName: 'Lab', profileImageUrl: null, clientMetadata: null, clientReadOnlyMetadata: null }

const unknownId = '00000000-0000-4000-8000-000000000000'

it('a team is what the platform sends, without fields for servers only', () => {
  const wire = { ...recorded.selected_team, created_at_millis: 1, server_metadata: { secret: 1 } }
  expect(v.parse(Team, fromWire(Team, wire))).toEqual({
    id: recorded.selected_team.id,
    displayName: 'Analytical',
    profileImageUrl: null,
    clientMetadata: null,
    clientReadOnlyMetadata: null,
  })
})

describe('the teams of the signed-in user', () => {
  it('are listed, and read one by one', async () => {
    const { app, settled } = await teamWorld()
    expect(namesOf(await settled(app.teams$.get()))).toEqual(['Ops', 'Lab'])
    expect(await settled(app.team$({ teamId: labId }).get())).toEqual(lab)
    expect(await settled(app.team$({ teamId: unknownId }).get())).toBeNull()
  })
})
