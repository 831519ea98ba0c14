import wire from '../../wire/notification-preferences.json'
import { accessTokenOf, ada, expectPlain, expectRefusal, wireWorld, type Ask } from '../wire-world'

const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com' } as const
const nobody = '00000000-0000-4000-8000-000000000000'
const [transactional, marketing] = wire.items
const off = { body: { enabled: false } }

async function make() {
  const world = wireWorld({ seed: { users: [ada, grace] } })
  const accessToken = await accessTokenOf(world)
  const list = (who: string, how: Ask = { accessToken }) => world.ask(`GET /emails/notification-preference/${who}`, how)
  const set = (path: string, how: Ask = {}) =>
    world.ask(`PATCH /emails/notification-preference/${path}`, { accessToken, ...off, ...how })
  return { ...world, accessToken, list, set }
}

describe('the notification preferences', () => {
  it.each(['me', ada.id])('of %s are two fixed categories, both on', async who => {
    expect((await (await make()).list(who)).body).toEqual(wire)
  })

  it("are those of a client's own user", async () => {
    const { list } = await make()
    expectRefusal(await list('me', {}), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    expectRefusal(await list(ada.id, {}), 'USER_AUTHENTICATION_REQUIRED')
    for (const id of [grace.id, nobody]) expectPlain(await list(id), 403)
    expectRefusal(await list(nobody, { access: 'server' }), 'USER_NOT_FOUND')
  })

  it('are deleted with their user', async () => {
    const { set, ask, platform } = await make()
    await set(`me/${marketing!.notification_category_id}`)
    expect(JSON.stringify(platform.snapshot())).toContain(marketing!.notification_category_id)
    await ask(`DELETE /users/${ada.id}`, { access: 'server' })
    expect(JSON.stringify(platform.snapshot())).not.toContain(marketing!.notification_category_id)
  })
})

describe('the unsubscribe link of a mail', () => {
  const code = 'a'.repeat(45)

  /** Ada's unsubscribe link in a mail of the category. */
  async function withLink(of: object = {}) {
    const world = await make()
    const { platform, clock } = world
    const snapshot = JSON.parse(JSON.stringify(platform.snapshot())) as {
      readonly projects: Readonly<Record<string, { readonly verificationCodes: unknown[] }>>
    }
    const subject = { userId: ada.id, notificationCategoryId: marketing!.notification_category_id, ...of }
    const row = { id: nobody, purpose: 'unsubscribe', code, usedAt: null, attempts: 0, subject }
    const expiresAt = clock.now() + 1000
    snapshot.projects[platform.options.projectId]!.verificationCodes.push({ ...row, expiresAt })
    platform.restore(snapshot)
    const open = (query: string) => world.ask(`GET /emails/unsubscribe-link?${query}`, { access: null })
    return { ...world, open }
  }

  it('needs no keys, answers a page, and switches the category off', async () => {
    const { open, list } = await withLink()
    const answer = await open(`code=${code}&utm_source=mail`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html'])
    expect(answer.headers.has('x-stack-request-id')).toBe(false)
    expect((await list('me')).body.items).toEqual([transactional, { ...marketing, enabled: false }])
    expectRefusal(await open(`code=${code}`), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it('is refused if it is incomplete, unknown or too old', async () => {
    const { open, clock } = await withLink()
    expectPlain(await open(''), 400)
    expectPlain(await open('code=x'), 400)
    expectRefusal(await open(`code=${'0'.repeat(45)}`), 'VERIFICATION_CODE_NOT_FOUND')
    await clock.advance(1000)
    expectRefusal(await open(`code=${code}`), 'VERIFICATION_CODE_EXPIRED')
  })

  it.each([{ userId: nobody }, { notificationCategoryId: nobody }])(
    'is refused where there is no more %j',
    async of => {
      const { open, list } = await withLink(of)
      expectPlain(await open(`code=${code}`), 400)
      expect((await list('me')).body).toEqual(wire)
    },
  )
})
