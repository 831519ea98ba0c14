import type { ClientApp } from 'rxauth'
import { base32, totpCode } from '../../src/core/totp'
import { tabStorage } from '../tab-storage'
import { codeIn, signInWays, type Way } from '../flows/way'

const ada = { email: 'ada@example.com', password: 'correct horse', verified: true }

const save = 'PATCH /users/me'

describe.each(signInWays)('a user with an authenticator, %s,', (_, open) => {
  let way: Way
  let app: ClientApp
  const digits = (secret: Uint8Array, millis = 0) =>
    totpCode(Uint8Array.from(secret), way.platform.options.clock.now() + millis)
  const enrol = async () => {
    const { secret } = await app.startTotpEnrolment()
    expect(await app.enableTotp({ secret, totp: await digits(secret) })).toEqual({ ok: true, value: undefined })
    return secret
  }

  beforeEach(async () => {
    way = await open({
      seed: { project: { displayName: 'Ada & Söhne: 1', config: { magicLinkEnabled: true } }, users: [ada] },
    })
    app = way.newApp({ tokens: await way.platform.tokensFor(ada.email) })
  })
  afterEach(() => way.close())

  it('enrols it, signs in with it, and gives it up', async () => {
    app.user$.subscribe()
    expect(await app.user$.get()).toMatchObject({ requiresTotpMfa: false })
    const secret = await enrol()
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: { requiresTotpMfa: true } })
    const elsewhere = way.newApp()
    const { email, password } = ada
    expect(await elsewhere.signInWithPassword({ email, password })).toMatchObject({ ok: false })
    expect(await elsewhere.continueSignIn({ totp: await digits(secret) })).toMatchObject({ ok: true })
    await app.disableTotp()
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: { requiresTotpMfa: false } })
    expect(await way.newApp().signInWithPassword({ email, password })).toMatchObject({ ok: true })
  })

  it('gets a URI that every authenticator understands', async () => {
    const { secret, uri, base32: text } = await app.startTotpEnrolment()
    expect(secret).toHaveLength(20)
    expect(text).toBe(base32(secret))
    expect(uri).toBe(
      `otpauth://totp/Ada%20%26%20S%C3%B6hne%201:ada%40example.com?issuer=Ada%20%26%20S%C3%B6hne%201&algorithm=SHA1&secret=${text}&period=30&digits=6`,
    )
    expect((await app.startTotpEnrolment()).uri).not.toBe(uri)
  })

  it.each([
    ['Acme: Notes', 'Acme Notes'],
    ['Acme : Notes:beta:', 'Acme Notes beta'],
    ['\uD83D Notes \uDE00\uD83D\uDE00', '\uFFFD Notes \uFFFD\u{1F600}'],
    ['https://notes.example', 'https //notes.example'],
  ])('gets a label in which the project %j is one part', async (displayName, part) => {
    const { fetch } = way.platform.options
    const page = way.newApp({
      tokens: await way.platform.tokensFor(ada.email),
      async fetch(input, init) {
        const answer = await fetch(input, init)
        if (!(input as string).endsWith('/projects/current')) return answer
        const body = { ...((await answer.json()) as object), display_name: displayName }
        return Response.json(body, { headers: answer.headers })
      },
    })
    const { uri } = await page.startTotpEnrolment()
    const [, label = '', query] = /^otpauth:\/\/totp\/([^?]+)\?(.+)$/.exec(uri) ?? []
    // Some apps decode the label before they look for the colon.
    expect(decodeURIComponent(label).split(':')).toEqual([part, ada.email])
    expect(new URLSearchParams(query).get('issuer')).toBe(part)
  })

  it('is not locked out by wrong digits: nothing is saved', async () => {
    const { secret } = await app.startTotpEnrolment()
    const count = way.requests.length
    for (const totp of ['', '12345', 'abcdef', await digits(secret, 90_000)])
      expect(await app.enableTotp({ secret, totp })).toMatchObject({ ok: false, error: { code: 'INVALID_TOTP_CODE' } })
    // What time it is there, in case that the clock here is wrong; asked once.
    expect(way.requests.slice(count)).toEqual(['POST /auth/oauth/token 200'])
  })

  it.each([
    ['five minutes ahead', 300_000],
    ['five minutes behind', -300_000],
    ['a day ahead', 86_400_000],
    ['a day behind', -86_400_000],
  ])('enrols it although the clock of the machine is %s', async (_, millis) => {
    const { clock } = way.platform.options
    app = way.newApp({
      tokens: await way.platform.tokensFor(ada.email),
      clock: { ...clock, now: () => clock.now() + millis },
    })
    await way.pass(60_000)
    const secret = await enrol()
    expect(await app.user$.get()).toMatchObject({ requiresTotpMfa: true })
    expect(await app.enableTotp({ secret, totp: '000000' })).toMatchObject({ ok: false })
  })

  it.each([-30_000, 0, 30_000])('may be %i ms off, and types the digits with a space', async millis => {
    const { secret } = await app.startTotpEnrolment()
    const shown = await digits(secret, millis)
    expect(await app.enableTotp({ secret, totp: `${shown.slice(0, 3)} ${shown.slice(3)}` })).toMatchObject({ ok: true })
  })

  it.each([0, 1025])('gets an error for a secret of %i bytes', async length => {
    await expect(app.enableTotp({ secret: new Uint8Array(length), totp: '000000' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'secret' },
    })
  })

  it('has to be signed in to enrol', async () => {
    await expect(way.newApp().startTotpEnrolment()).rejects.toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' })
  })

  it('can enrol again when the platform fails, and has enrolled if only the answer was lost', async () => {
    const { secret } = await app.startTotpEnrolment()
    way.platform.faults.next(save, { status: 503 })
    await expect(app.enableTotp({ secret, totp: await digits(secret) })).rejects.toMatchObject({ status: 503 })
    expect(await app.user$.refresh()).toMatchObject({ requiresTotpMfa: false })
    way.platform.faults.next(save, { loseResponse: true })
    await expect(app.enableTotp({ secret, totp: await digits(secret) })).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    })
    expect(await app.user$.refresh()).toMatchObject({ requiresTotpMfa: true })
  })

  it('signs in by magic link, reloads in the middle, and comes back to the page that asked for the link', async () => {
    const secret = await enrol()
    const sessionStorage = tabStorage()
    const tab = way.newApp({ host: { sessionStorage } })
    const callbackUrl = 'http://localhost:3000/handler/magic-link-callback'
    await tab.sendMagicLinkEmail({ email: ada.email, callbackUrl })
    const mail = await way.platform.mailbox(ada.email).next()
    expect(await tab.signInWithMagicLink({ code: codeIn(mail) })).toMatchObject({
      ok: false,
      error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' },
    })
    const reloaded = way.newApp({ host: { sessionStorage } })
    expect(reloaded.flow$.value).toEqual({ status: 'second-factor' })
    expect(await reloaded.continueSignIn({ totp: await digits(secret) })).toMatchObject({ ok: true })
    expect(await reloaded.user$.get()).toMatchObject({ primaryEmail: ada.email })
  })
})
