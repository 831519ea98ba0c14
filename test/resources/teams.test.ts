import * as v from 'valibot'
import { fromWire } from '../../src/core/wire'
import { Team } from '../../src/resources/teams'
import recorded from '../wire/current-user.json'

it('a team is what the platform sends, without what only a server may see', () => {
  const wire = { ...recorded.selected_team, created_at_millis: 1, server_metadata: { secret: 1 } }
  expect(v.parse(Team, fromWire(Team, wire))).toEqual({
    id: recorded.selected_team.id,
    displayName: 'Analytical',
    profileImageUrl: null,
    clientMetadata: null,
    clientReadOnlyMetadata: null,
  })
})
