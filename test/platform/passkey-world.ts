import type { ProjectConfig, SoftwareAuthenticator, SeedUser, Wire } from 'rxauth/platform'
import { ada, accessTokenOf, wireWorld } from './wire-world'

/** The page of the ceremonies. */
export const here = 'http://localhost:3000'
export const shop = { domains: [{ domain: 'https://shop.example.com', handlerPath: '/handler' }] }

interface Started {
  readonly code: string
  readonly options_json: { readonly rp: object; readonly challenge: string }
}

/** Ada with a device, on a platform with passkeys on. */
export async function passkeyWorld(
  config: Partial<ProjectConfig> = {},
  user: SeedUser = ada,
  wire: Wire = '2.8.18',
  silentPasskeys = false,
) {
  const world = wireWorld({
    wire,
    silentPasskeys,
    seed: { project: { config: { passkeyEnabled: true, ...config } }, users: [user] },
  })
  const accessToken = await accessTokenOf(world)
  const device = world.platform.authenticator()
  const start = async (what: 'registration' | 'authentication') =>
    (await world.ask(`POST /auth/passkey/initiate-passkey-${what}`, { accessToken, body: {} })).body as Started
  const finish = (credential: unknown, code: string) =>
    world.ask('POST /auth/passkey/register', { accessToken, body: { credential, code } })
  const signIn = (authentication_response: unknown, code: string) =>
    world.ask('POST /auth/passkey/sign-in', { body: { authentication_response, code } })
  /** A credential of the device, and the code that registers it. */
  async function created(origin = here, on: SoftwareAuthenticator = device) {
    const { code, options_json } = await start('registration')
    const rp = { ...options_json.rp, id: new URL(origin).hostname }
    return { code, credential: await on.create({ ...options_json, rp }, { origin }) }
  }
  async function register(origin?: string, on?: SoftwareAuthenticator) {
    const { code, credential } = await created(origin, on)
    return finish(credential, code)
  }
  async function enter(origin = here, on: SoftwareAuthenticator = device) {
    const { code, options_json } = await start('authentication')
    return signIn(await on.get({ ...options_json, rpId: new URL(origin).hostname }, { origin }), code)
  }
  return { ...world, accessToken, device, start, created, finish, signIn, register, enter }
}
