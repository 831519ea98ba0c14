import { expectAnswer, expectRefusal, wireWorld, type World } from '../wire-world'
import wire from '../../wire/sign-ins.json'

const day = 86_400_000

/** Each purpose with one of its codes, the address that uses it, and the other fields of that request. */
const purposes: Readonly<
  Record<string, { readonly path: string; readonly more: object; code(world: World): Promise<string> }>
> = {
  'magic link': { path: '/auth/otp/sign-in', more: {}, code: async world => magicLink(world) },
  'password reset': {
    path: '/auth/password/reset',
    more: { password: 'a new password' },
    code: async world => {
      const body = { email: 'ada@example.com', callback_url: 'http://localhost/r' }
      await world.ask('POST /auth/password/send-reset-code', { body })
      return linkCode(world, 'ada@example.com')
    },
  },
  'e-mail verification': {
    path: '/contact-channels/verify',
    more: {},
    code: async world => {
      const body = { email: 'new@example.com', password: '12345678', verification_callback_url: 'http://localhost/v' }
      await world.ask('POST /auth/password/sign-up', { body })
      return linkCode(world, 'new@example.com')
    },
  },
}
const each = Object.entries(purposes)

function make() {
  const users = [{ email: 'ada@example.com', password: 'correct horse', verified: true }]
  const world = wireWorld({ seed: { project: { config: { magicLinkEnabled: true } }, users } })
  const signIn = (code: string, headers = {}) => world.ask('POST /auth/otp/sign-in', { body: { code }, headers })
  const check = (code: string) => world.ask('POST /auth/otp/sign-in/check-code', { body: { code } })
  return { ...world, signIn, check }
}

const elsewhere = {
  'x-stack-project-id': 'internal',
  'x-stack-publishable-client-key': 'this-publishable-client-key-is-for-local-development-only',
}

async function magicLink(world: World): Promise<string> {
  await world.ask('POST /auth/otp/send-sign-in-code', { body: wire.otp.send })
  return linkCode(world, wire.otp.send.email)
}

async function linkCode({ platform }: World, email: string): Promise<string> {
  const { links } = await platform.mailbox(email).next()
  return new URL(links[0] ?? '').searchParams.get('code') ?? ''
}

describe('a code', () => {
  it.each(each)('for %s is 45 characters long, and works once', async (_, { path, more, code }) => {
    const world = make()
    const sent = await code(world)
    expect(sent).toMatch(/^[0-9a-hjkmnp-tv-z]{44}[08gr]$/)
    expect((await world.ask(`POST ${path}`, { body: { code: sent, ...more } })).status).toBe(200)
    expectRefusal(await world.ask(`POST ${path}`, { body: { code: sent, ...more } }), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it.each(each)('for %s lives seven days', async (_, { path, more, code }) => {
    const world = make()
    const [first, second] = [await code(world), await code(make())]
    await world.clock.advance(7 * day - 1)
    expect((await world.ask(`POST ${path}`, { body: { code: first, ...more } })).status).toBe(200)
    expectRefusal(await world.ask(`POST ${path}`, { body: { code: second, ...more } }), 'VERIFICATION_CODE_NOT_FOUND')
    const late = make()
    const expiring = await code(late)
    await late.clock.advance(7 * day)
    expectRefusal(await late.ask(`POST ${path}`, { body: { code: expiring, ...more } }), 'VERIFICATION_CODE_EXPIRED')
  })

  it.each(each)('for %s has no other use', async (name, { code }) => {
    const world = make()
    const sent = await code(world)
    for (const [other, { path, more }] of each)
      if (other !== name)
        expectRefusal(await world.ask(`POST ${path}`, { body: { code: sent, ...more } }), 'VERIFICATION_CODE_NOT_FOUND')
  })

  it.each(each)('for %s must have its length, in any letter case', async (_, { path, more, code }) => {
    const world = make()
    const sent = await code(world)
    for (const wrong of [sent.slice(1), `${sent}0`, ''])
      expectRefusal(await world.ask(`POST ${path}`, { body: { code: wrong, ...more } }), 'SCHEMA_ERROR')
    expect((await world.ask(`POST ${path}`, { body: { code: sent.toUpperCase(), ...more } })).status).toBe(200)
  })

  it('belongs to its project, and is valid beside others of the same kind', async () => {
    const world = make()
    const codes = [await magicLink(world), await magicLink(world)]
    expectRefusal(await world.signIn(codes[0]!, elsewhere), 'VERIFICATION_CODE_NOT_FOUND')
    for (const code of codes.reverse()) expect((await world.signIn(code)).status).toBe(200)
  })

  it.each([
    [19, 200],
    [20, 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED'],
  ])('after %i attempts with the same nonce answers %s', async (wrong, answered) => {
    const world = make()
    const code = await magicLink(world)
    for (let count = 0; count < wrong; count++) {
      const guess = `${String(count).padStart(6, 'z')}${code.slice(6)}`
      expectRefusal(await (count % 2 ? world.signIn : world.check)(guess), 'VERIFICATION_CODE_NOT_FOUND')
    }
    expectAnswer(await world.signIn(code), answered)
    expectRefusal(await world.signIn(`zzzzzz${code.slice(6)}`), 'VERIFICATION_CODE_NOT_FOUND')
  })

  it('counts attempts for another purpose too, and none of another project', async () => {
    const world = make()
    const code = await magicLink(world)
    const guess = `zzzzzz${code.slice(6)}`
    const look = (headers: Record<string, string>) =>
      world.ask('POST /contact-channels/verify/check-code', { body: { code: guess }, headers })
    for (let count = 0; count < 30; count++) expectRefusal(await look(elsewhere), 'VERIFICATION_CODE_NOT_FOUND')
    for (let count = 0; count < 19; count++) expectRefusal(await look({}), 'VERIFICATION_CODE_NOT_FOUND')
    expect((await world.check(code)).status).toBe(200)
    expectRefusal(await world.signIn(code), 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED')
  })

  it.each([
    [true, true, true, 'VERIFICATION_CODE_EXPIRED'],
    [false, true, true, 'VERIFICATION_CODE_ALREADY_USED'],
    [false, false, true, 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED'],
    [true, false, true, 'VERIFICATION_CODE_EXPIRED'],
  ])('expired: %s, used: %s, tried too often: %s, answers %s', async (isExpired, isUsed, isTried, error) => {
    const world = make()
    const code = await magicLink(world)
    if (isUsed) expect((await world.signIn(code)).status).toBe(200)
    for (let count = 0; isTried && count < 25; count++) await world.check(`zzzzzz${code.slice(6)}`)
    if (isExpired) await world.clock.advance(7 * day)
    expectRefusal(await world.signIn(code), error)
  })

  it('lets one of two simultaneous requests use it', async () => {
    const world = make()
    const code = await magicLink(world)
    const both = await Promise.all([1, 2].map(() => world.signIn(code)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
