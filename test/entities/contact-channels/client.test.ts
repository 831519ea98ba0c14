import type { ClientApp, ContactChannel } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../../world'
import type { World } from '../../world'

/** Ada's kit, with all stores that show her channels watched, and their values. */
async function watching(one: World) {
  const shown: (readonly string[])[] = []
  const primary: (string | null | undefined)[] = []
  one.app.contactChannels$.subscribe(all => shown.push(all.map(lineOf)))
  one.app.user$.subscribe(user => primary.push(user?.primaryEmail))
  await one.clock.advance(0)
  one.requests.length = 0
  return { shown, primary }
}

/** `home@example.com primary verified auth` */
function lineOf({ value, isPrimary, isVerified, usedForAuth }: ContactChannel): string {
  return [value, isPrimary && 'primary', isVerified && 'verified', usedForAuth && 'auth'].filter(Boolean).join(' ')
}

const first = 'ada@example.com primary auth'
const idOf = async ({ app, settled }: Pick<World, 'app' | 'settled'>, value: string) =>
  (await settled(app.contactChannels$.get())).find(channel => channel.value === value)!.id

describe('the contact channels of the signed-in user', () => {
  it('are the addresses, in local terms', async () => {
    const { app, settled } = await world()
    const { id: userId } = (await settled(app.user$.get()))!
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
    expect(await settled(app.contactChannels$.get())).toEqual([
      { id, userId, value: ada.email, type: 'email', isPrimary: true, isVerified: false, usedForAuth: true },
    ])
  })

  it('are none while signed out, without a request', async () => {
    const { newApp, settled, requests } = await world()
    expect(await settled(newApp().contactChannels$.get())).toEqual([])
    expect(requests).toEqual([])
  })
})

describe('adding a contact channel', () => {
  it('shows it without another request for the list, and asks for the user once', async () => {
    const one = await world()
    const { shown } = await watching(one)
    const added = await one.inTime(one.app.createContactChannel({ value: ' Home@Example.com ' }))
    expect(added).toMatchObject({
      ok: true,
      value: { value: 'home@example.com', isVerified: false, usedForAuth: false },
    })
    expect(shown).toEqual([[first], [first, 'home@example.com']])
    await one.clock.advance(1000)
    expect(one.requests).toEqual(['POST /contact-channels', 'GET /users/me'])
  })

  it('as the primary one takes that from the other, and shows on the user', async () => {
    const one = await world()
    const { shown, primary } = await watching(one)
    await one.inTime(one.app.createContactChannel({ value: 'home@example.com', isPrimary: true }))
    expect(shown.at(-1)).toEqual(['ada@example.com auth', 'home@example.com primary'])
    expect(primary).toEqual([ada.email, 'home@example.com'])
  })

  it('for signing in returns an error if another account signs in with it', async () => {
    const { app, settled } = await world()
    expect(await settled(app.createContactChannel({ value: grace.email, usedForAuth: true }))).toMatchObject({
      ok: false,
      error: {
        code: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
        details: { type: 'email', contactChannelValue: grace.email },
      },
    })
  })

  it('that the user has already throws', async () => {
    const { app, settled } = await world()
    await expect(settled(app.createContactChannel({ value: ada.email }))).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      status: 400,
    })
  })
})

describe('changing a contact channel', () => {
  it('shows at once, and is taken back if the platform refuses', async () => {
    const one = await world()
    await one.inTime(one.app.createContactChannel({ value: 'home@example.com' }))
    const { shown } = await watching(one)
    const contactChannelId = await idOf(one, 'home@example.com')
    one.platform.faults.next('PATCH /contact-channels/{userId}/{contactChannelId}', { status: 403 })
    await expect(one.inTime(one.app.updateContactChannel({ contactChannelId, isPrimary: true }))).rejects.toMatchObject(
      { status: 403 },
    )
    expect(shown).toEqual([
      [first, 'home@example.com'],
      ['ada@example.com auth', 'home@example.com primary'],
      [first, 'home@example.com'],
    ])
  })

  it('to another address has to be verified again', async () => {
    const one = await world({ platform: { seed: { users: [{ ...ada, verified: true }] } } })
    const contactChannelId = await idOf(one, ada.email)
    const { shown, primary } = await watching(one)
    await one.inTime(one.app.updateContactChannel({ contactChannelId, value: 'countess@example.com' }))
    expect(shown).toEqual([[`ada@example.com primary verified auth`], ['countess@example.com primary auth']])
    expect(primary.at(-1)).toBe('countess@example.com')
  })

  it('to the address that it has leaves it verified', async () => {
    const one = await world({ platform: { seed: { users: [{ ...ada, verified: true }] } } })
    const contactChannelId = await idOf(one, ada.email)
    const changed = await one.inTime(
      one.app.updateContactChannel({ contactChannelId, value: ' ADA@example.com', usedForAuth: true }),
    )
    expect(changed).toMatchObject({ ok: true, value: { isVerified: true } })
  })
})

describe('deleting a contact channel', () => {
  it('is taken back if the platform refuses', async () => {
    const one = await world()
    await one.inTime(one.app.createContactChannel({ value: 'home@example.com' }))
    const contactChannelId = await idOf(one, 'home@example.com')
    const { shown } = await watching(one)
    one.platform.faults.next('DELETE /contact-channels/{userId}/{contactChannelId}', { status: 403 })
    await expect(one.inTime(one.app.deleteContactChannel({ contactChannelId }))).rejects.toMatchObject({ status: 403 })
    expect(shown).toEqual([[first, 'home@example.com'], [first], [first, 'home@example.com']])
  })

  // Promise: refusal-is-not-done
  it.each([400, 404, 500])(
    'is taken back if the platform refuses with %i and the address still exists',
    async status => {
      const one = await world()
      await one.inTime(one.app.createContactChannel({ value: 'home@example.com' }))
      const contactChannelId = await idOf(one, 'home@example.com')
      const { shown } = await watching(one)
      one.platform.faults.next('DELETE /contact-channels/{userId}/{contactChannelId}', { status })
      await expect(one.inTime(one.app.deleteContactChannel({ contactChannelId }))).rejects.toMatchObject({
        code: 'REQUEST_FAILED',
        status,
      })
      expect(shown).toEqual([[first, 'home@example.com'], [first], [first, 'home@example.com']])
      const server = createServerApp(one.platform.serverOptions)
      const { id: userId } = (await one.settled(one.app.user$.get()))!
      one.platform.faults.next('DELETE /contact-channels/{userId}/{contactChannelId}', { status })
      await expect(one.inTime(server.deleteContactChannelById({ userId, contactChannelId }))).rejects.toMatchObject({
        code: 'REQUEST_FAILED',
        status,
      })
      await one.inTime(server.deleteContactChannelById({ userId, contactChannelId }))
      await one.inTime(server.deleteContactChannelById({ userId, contactChannelId }))
    },
  )

  it('takes it off at once, and needs no request for the list', async () => {
    const one = await world()
    await one.inTime(one.app.createContactChannel({ value: 'home@example.com' }))
    const contactChannelId = await idOf(one, 'home@example.com')
    const { shown } = await watching(one)
    await one.inTime(one.app.deleteContactChannel({ contactChannelId }))
    expect(shown).toEqual([[first, 'home@example.com'], [first]])
    await one.clock.advance(1000)
    expect(one.requests).toEqual([`DELETE /contact-channels/me/${contactChannelId}`, 'GET /users/me'])
  })

  it('that is gone already is done', async () => {
    const one = await world()
    const there = one.newApp({ tokens: await one.tokensOf(ada) })
    await one.inTime(one.app.createContactChannel({ value: 'home@example.com' }))
    const contactChannelId = await idOf(one, 'home@example.com')
    await one.inTime(there.deleteContactChannel({ contactChannelId }))
    await one.inTime(one.app.deleteContactChannel({ contactChannelId }))
    expect(await one.inTime(one.app.contactChannels$.refresh())).toHaveLength(1)
  })
})

describe('a write to the contact channels', () => {
  const contactChannelId = '6b23ae7c-0991-4b14-91fd-718afde0bfc7'
  it.each<[name: string, write: (app: ClientApp) => Promise<unknown>]>([
    ['createContactChannel', app => app.createContactChannel({ value: 'home@example.com' })],
    ['updateContactChannel', app => app.updateContactChannel({ contactChannelId, isPrimary: true })],
    ['deleteContactChannel', app => app.deleteContactChannel({ contactChannelId })],
    [
      'sendContactChannelVerification',
      app => app.sendContactChannelVerification({ contactChannelId, callbackUrl: 'http://localhost/x' }),
    ],
  ])('sends nothing while signed out: %s', async (_, write) => {
    const { newApp, settled, requests } = await world()
    await expect(settled(write(newApp()))).rejects.toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' })
    expect(requests).toEqual([])
  })
})

describe('verifying a contact channel', () => {
  it('shows on the list and on the user when the promise resolves', async () => {
    const one = await world()
    const { shown } = await watching(one)
    const contactChannelId = await idOf(one, ada.email)
    const callbackUrl = 'http://localhost:3000/handler/email-verification'
    const mail = one.platform.mailbox(ada.email).next()
    await one.settled(one.app.sendContactChannelVerification({ contactChannelId, callbackUrl }))
    const code = new URL((await mail).links[0]!).searchParams.get('code')!
    const verified = one.app.verifyEmail({ code })
    await one.clock.advance(1000)
    await verified
    expect(shown.at(-1)).toEqual(['ada@example.com primary verified auth'])
  })

  it('needs an address to lead to outside a browser', async () => {
    const one = await world()
    const contactChannelId = await idOf(one, ada.email)
    one.requests.length = 0
    await expect(one.settled(one.app.sendContactChannelVerification({ contactChannelId }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'callbackUrl' },
    })
    expect(one.requests).toEqual([])
  })
})
