import { changePrimaryEmail, type ContactChannel } from 'rxauth'
import type { Wire } from 'rxauth/platform'
import { newerWires } from '../../platform/world-2026'
import { readAccessToken } from '../../../src/transport/access-token'
import { ada, grace, world, type World } from '../../world'

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

describe('changing a contact channel', () => {
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
})

describe.each(newerWires)('changing the primary address on %s', wire => {
  const countess = 'countess@example.com'

  /** Ada where addresses have to be verified. */
  async function demanding(wire: Wire) {
    const config = { requireEmailVerification: true }
    const one = await world({ platform: { wire, seed: { users: [ada, grace], project: { config } } } })
    one.app.auth$.subscribe()
    const { shown, primary } = await watching(one)
    const change = (primaryEmail: string | null) => one.inTime(changePrimaryEmail(one.app, { primaryEmail }))
    /** By `auth$`, and by the access token that the next request would have. */
    const restriction = async () => {
      const auth = one.app.auth$.value
      const token = readAccessToken((await one.inTime(one.app.accessToken()))!)
      return [auth.status === 'signed-in' && auth.restriction?.type, token?.restriction ?? undefined]
    }
    const email = (value: string) => one.inTime(idOf(one, value)).then(id => ({ contactChannelId: id }))
    return { ...one, shown, primary, change, restriction, email }
  }

  // Promise: restriction-ends-by-address
  it('and verifying it ends a restriction, and an unverified one begins it again, without a reload', async () => {
    const { app, platform, inTime, shown, primary, change, restriction, email } = await demanding(wire)
    const [free, restricted] = [Array(2).fill(undefined), Array(2).fill('email_not_verified')]
    expect(await restriction()).toEqual(restricted)
    expect(await change(' Countess@Example.com')).toMatchObject({
      ok: true,
      value: { primaryEmail: countess, primaryEmailVerified: false, isRestricted: true },
    })
    expect([primary.at(-1), shown.at(-1)]).toEqual([countess, ['ada@example.com auth', `${countess} primary auth`]])
    await inTime(app.sendVerificationEmail({ callbackUrl: 'http://localhost:3000/verify' }))
    const link = platform.mailbox(countess).messages.at(-1)!.links[0]!
    await inTime(app.verifyEmail({ code: new URL(link).searchParams.get('code')! }))
    expect(await restriction()).toEqual(free)
    // An address with which the user signs in becomes primary again as a channel.
    const taken = { ok: false, error: { code: 'USER_EMAIL_ALREADY_EXISTS' } }
    expect(await change(ada.email)).toMatchObject(taken)
    await inTime(app.updateContactChannel({ ...(await email(ada.email)), isPrimary: true }))
    await inTime(app.user$.refresh())
    expect(await restriction()).toEqual(restricted)
    expect([primary.at(-1), shown.at(-1)]).toEqual([ada.email, [first, `${countess} verified auth`]])
  })
})
