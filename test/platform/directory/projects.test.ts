import type { Wire } from 'rxauth/platform'
import { owner } from '../owner-world'
import { expectRefusal, team, wireWorld } from '../wire-world'

describe('a project of an owner', () => {
  async function withOwner(wire: Wire) {
    const { asOwner } = await owner(wireWorld({ wire }))
    const { body } = await asOwner('GET /teams?user_id=me')
    const [own] = body.items as { readonly id: string }[]
    return { asOwner, ownTeamId: own?.id }
  }
  const named = { display_name: 'Shop' }

  it('has no such team on the reference wire', async () => {
    const { asOwner, ownTeamId } = await withOwner('2.8.18')
    expect(ownTeamId).toBeUndefined()
    expect((await asOwner('POST /internal/projects', named)).status).toBe(201)
    expectRefusal(await asOwner('POST /internal/projects', { ...named, owner_team_id: team.id }), 'SCHEMA_ERROR')
  })

  it.each<[wire: Wire, domain: string, status: number]>([
    ['2026', 'https://*.example.com:*', 200],
    ['2026', 'https://*.example.com:*/app', 200],
    ['2026', 'https://', 400],
    ['2.8.18', 'https://*.example.com:*', 400],
  ])('on %s is told to trust %s: %i', async (wire, domain, status) => {
    const config = { domains: [{ domain, handler_path: '/handler' }] }
    const answer = await wireWorld({ wire }).ask('PATCH /internal/projects/current', {
      access: 'admin',
      body: { config },
    })
    expect(answer.status).toBe(status)
  })
})
