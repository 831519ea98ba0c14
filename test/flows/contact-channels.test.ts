import type { ClientApp } from 'rxauth'
import { codeIn, ways } from './way'
import type { Way } from './way'

const ada = { email: 'ada@example.com', password: 'correct horse' }
const grace = { email: 'grace@example.com', password: 'battery staple' }
const callbackUrl = 'http://localhost:3000/handler/email-verification'
const home = 'home@example.com'

describe.each(ways)('a user with several addresses, %s,', (_, open) => {
  let way: Way
  let app: ClientApp
  beforeEach(async () => {
    way = await open({ seed: { users: [{ ...ada, verified: true }, grace] } })
    app = await signIn(ada)
  })
  afterEach(() => way.close())

  async function signIn(person: typeof ada): Promise<ClientApp> {
    const signedIn = way.newApp()
    expect((await signedIn.signInWithPassword(person)).ok).toBe(true)
    return signedIn
  }

  async function add(value = home, usedForAuth = false): Promise<string> {
    const added = await app.createContactChannel({ value, usedForAuth })
    if (!added.ok) throw added.error
    return added.value.id
  }

  async function codeFor(contactChannelId: string): Promise<string> {
    expect((await app.sendContactChannelVerification({ contactChannelId, callbackUrl })).ok).toBe(true)
    return codeIn(await way.platform.mailbox(home).next())
  }

  const channel = async (value: string) => (await app.contactChannels$.get()).find(each => each.value === value)

  it('adds one, verifies it, makes it the primary one, and signs in with it', async () => {
    const shown: (string | null | undefined)[] = []
    const subscription = app.user$.subscribe(user => shown.push(user?.primaryEmail))
    await app.user$.get()
    const contactChannelId = await add()
    const code = await codeFor(contactChannelId)
    expect(await app.checkEmailVerificationCode({ code })).toMatchObject({ ok: true })
    expect(await app.verifyEmail({ code })).toMatchObject({ ok: true })
    expect(await channel(home)).toMatchObject({ isVerified: true, isPrimary: false })
    await app.updateContactChannel({ contactChannelId, isPrimary: true, usedForAuth: true })
    expect(shown).toEqual([ada.email, home])
    subscription.unsubscribe()
    const other = await signIn({ ...ada, email: home })
    expect(await other.user$.get()).toMatchObject({ primaryEmail: home, primaryEmailVerified: true })
    await app.deleteContactChannel({ contactChannelId: (await channel(ada.email))!.id })
    expect(await way.newApp().signInWithPassword(ada)).toMatchObject({ error: { code: 'EMAIL_PASSWORD_MISMATCH' } })
  })

  it('gets an error if an address signs another user in, and may keep it for mails', async () => {
    expect(await app.createContactChannel({ value: grace.email, usedForAuth: true })).toMatchObject({
      ok: false,
      error: { code: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE' },
    })
    const contactChannelId = await add(grace.email)
    expect(await app.updateContactChannel({ contactChannelId, usedForAuth: true })).toMatchObject({ ok: false })
    expect(await channel(grace.email)).toMatchObject({ usedForAuth: false })
  })

  it('gets no mail for an address that is verified', async () => {
    const { id: contactChannelId } = (await channel(ada.email))!
    expect(await app.sendContactChannelVerification({ contactChannelId, callbackUrl })).toMatchObject({
      ok: false,
      error: { code: 'EMAIL_ALREADY_VERIFIED' },
    })
    expect(way.platform.mailbox(ada.email).messages).toEqual([])
  })

  it('has verified it although the answer was lost: the second call says that the code is used', async () => {
    const code = await codeFor(await add())
    way.platform.faults.next('POST /contact-channels/verify', { loseResponse: true })
    await expect(app.verifyEmail({ code })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(await channel(home)).toMatchObject({ isVerified: true })
    expect(await app.verifyEmail({ code })).toMatchObject({ error: { code: 'VERIFICATION_CODE_ALREADY_USED' } })
  })

  it('verifies it by a mail whose link a scanner has opened', async () => {
    const contactChannelId = await add()
    await app.sendContactChannelVerification({ contactChannelId, callbackUrl })
    // The page checks the code, and uses it after a click.
    const page = way.newApp()
    const opened: string[] = []
    const mailbox = way.platform.mailbox(home, {
      scanner: true,
      async open(url) {
        opened.push(url)
        await page.checkEmailVerificationCode({ code: new URL(url).searchParams.get('code')! })
      },
    })
    const code = codeIn(await mailbox.next())
    expect(opened).toHaveLength(1)
    expect(await page.verifyEmail({ code })).toMatchObject({ ok: true })
    expect(await app.contactChannels$.refresh()).toContainEqual(
      expect.objectContaining({ value: home, isVerified: true }),
    )
  })

  it('verifies nothing with the code of a deleted address', async () => {
    const contactChannelId = await add()
    const code = await codeFor(contactChannelId)
    await app.deleteContactChannel({ contactChannelId })
    await expect(app.verifyEmail({ code })).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 400 })
    expect((await app.contactChannels$.refresh()).map(({ value }) => value)).toEqual([ada.email])
  })

  it('can use a code for seven days', async () => {
    const code = await codeFor(await add())
    await way.pass(7 * 86_400_000)
    expect(await app.verifyEmail({ code })).toMatchObject({ error: { code: 'VERIFICATION_CODE_EXPIRED' } })
  })
})
