import { dark, light, newer } from '../newer-world'
import wire from '../../wire/newer-owners.json'
import { owner } from '../owner-world'
import { expectRefusal, wireWorld } from '../wire-world'

describe('a project on the newer wire', () => {
  it('is the same in every answer, without a number of users', async () => {
    const { made, asOwner, current, teamId } = await shop()
    const { body, status } = made
    expect([status, { ...body, id: 'string', owner_team_id: 'string' }]).toEqual([201, wire.project])
    expect(body.owner_team_id).toBe(teamId)
    expect((await asOwner('GET /internal/projects')).body).toEqual({ items: [body], is_paginated: false })
    expect((await current('GET')).body).toEqual(body)
    expect((await current('PATCH', {})).body).toEqual(body)
  })

  it('has logos, an onboarding status, provider ids and a theme id', async () => {
    const { made, current } = await shop()
    const { provider_config_id: _, ...apple } = wire.apple
    const answer = await current('PATCH', {
      logo_url: 'https://shop.example.com/logo.png',
      onboarding_status: 'config_choice',
      config: { oauth_providers: [apple], email_theme: dark, require_email_verification: true },
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...made.body,
        logo_url: 'https://shop.example.com/logo.png',
        onboarding_status: 'config_choice',
        config: {
          ...made.body.config,
          oauth_providers: [wire.apple],
          enabled_oauth_providers: [{ id: 'apple' }],
          email_theme: dark,
        },
      },
    ])
    expect((await current('PATCH', { logo_url: null })).body).toEqual({ ...answer.body, logo_url: null })
    // Write-only.
    expect(answer.text).not.toContain('require_email_verification')
  })

  it.each([
    { email_theme: 'default-dark' },
    { user_count: 5 },
    { oauth_providers: [{ id: 'apple', type: 'standard' }] },
  ])('refuses %j', async config => {
    const { current } = await shop()
    expectRefusal(await current('PATCH', { config }), 'SCHEMA_ERROR')
  })

  it('has none of these on the reference wire', async () => {
    const { text, body } = await wireWorld().ask('GET /internal/projects/current', { access: 'admin' })
    expect(body.user_count).toBe(1)
    expect(text).not.toMatch(/owner_team_id|onboarding_status|logo|provider_config_id/)
    for (const sent of [{ logo_url: null }, { onboarding_status: 'x' }, { config: { email_theme: light } }])
      expectRefusal(
        await wireWorld().ask('PATCH /internal/projects/current', { access: 'admin', body: sent }),
        'SCHEMA_ERROR',
      )
  })
})

/** An owner of the newer wire with a project called Shop. */
async function shop() {
  const world = newer()
  const me = await owner(world)
  const [own] = (await me.asOwner('GET /teams?user_id=me')).body.items as { readonly id: string }[]
  const made = await me.asOwner('POST /internal/projects', { display_name: 'Shop', owner_team_id: own?.id })
  const current = (method: string, body?: unknown) =>
    me.on(made.body.id as string, `${method} /internal/projects/current`, body)
  return { ...me, made, current, teamId: own?.id }
}
