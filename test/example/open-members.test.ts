import { createServerApp } from 'rxauth/server'
import { refreshOn } from '../../react/example/app/refresh-on'
import { ada, grace, world } from '../world'

const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
const team = { id: teamId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin'] }] }

it('the open member list of the example shows a member that a server adds, within 5 s', async () => {
  const seed = { users: [ada, grace], teams: [team] }
  const { app, clock, platform, settled } = await world({ platform: { seed }, app: { refreshOn } })
  const shown: (readonly (string | null)[])[] = []
  const open = app.teamMembers$({ teamId }).subscribe(all => shown.push(all.map(each => each.displayName)))
  await clock.advance(1)
  expect(shown).toEqual([['Ada']])

  const server = createServerApp(platform.serverOptions)
  const added = (await settled(server.users$({ query: 'grace' }).get())).items[0]!
  await settled(server.addTeamMemberById({ teamId, userId: added.id }))
  await clock.advance(5_000)
  expect([...shown.at(-1)!].sort()).toEqual(['Ada', 'Grace'])
  open.unsubscribe()
})
