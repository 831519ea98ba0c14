import * as client from 'rxauth'
import type { ClientApp, ClientOptions } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import type { Platform, PlatformOptions } from 'rxauth/platform'
import { everythingOn, readyMade } from '../../src/platform/node/ready-made'

// Hidden code of a page calls it: the platform at http://localhost:8102 is another one from then on.
declare global {
  function serve(options?: PlatformOptions & Pick<ClientOptions, 'host'>): Platform
}

const address = 'http://localhost:8102'

/** The machine of a reader: `npx rxauth dev` runs, and the block was started by it. */
export interface World {
  readonly serve: typeof serve
  /** `rxauth` as it is on this machine. */
  readonly rxauth: object
  close(): void
}

export function openWorld(): World {
  const { env } = process
  const before = { ...env }
  let platform: Platform | undefined
  let browser: Pick<ClientOptions, 'clock' | 'host'> = {}
  const elsewhere = globalThis.fetch.bind(globalThis)
  const spy = jest.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.startsWith(address)) return elsewhere(input, init)
    platform ??= start()
    return platform.options.fetch(input, init)
  })
  const { serverOptions, adminOptions } = createPlatform()
  Object.assign(env, {
    STACK_API_URL: address,
    STACK_PROJECT_ID: serverOptions.projectId,
    STACK_PUBLISHABLE_CLIENT_KEY: serverOptions.publishableClientKey,
    STACK_SECRET_SERVER_KEY: serverOptions.secretServerKey,
    STACK_SUPER_SECRET_ADMIN_KEY: adminOptions.superSecretAdminKey,
  })
  const createClientApp = (options: ClientOptions) =>
    withPasskeys(client.createClientApp({ ...browser, ...options }), () => (platform ??= start()))
  return {
    rxauth: { ...client, createClientApp },
    serve({ host, ...options } = {}) {
      browser = { ...(options.clock && { clock: options.clock }), ...(host && { host }) }
      return (platform = start(options))
    },
    close() {
      spy.mockRestore()
      for (const name of Object.keys(env)) if (!(name in before)) Reflect.deleteProperty(env, name)
      Object.assign(env, before)
    },
  }
}

/** As `rxauth dev` makes it, with what an option says instead. */
function start({ seed, ...options }: PlatformOptions = {}): Platform {
  const config = { ...everythingOn('local'), ...seed?.project?.config }
  const people = seed?.users ? seed : { ...readyMade, ...seed }
  return createPlatform({ ...options, seed: { ...people, project: { ...seed?.project, config } } })
}

/** An app in a browser that can make passkeys. */
function withPasskeys(app: ClientApp, platform: () => Platform): ClientApp {
  let made: ReturnType<Platform['authenticator']> | undefined
  const device = () => ({ hostname: 'localhost', authenticator: (made ??= platform().authenticator()) })
  const { registerPasskey, signInWithPasskey } = app
  return Object.assign(app, {
    registerPasskey: (input?: object) => registerPasskey({ ...device(), ...input }),
    signInWithPasskey: (input?: object) => signInWithPasskey({ ...device(), ...input }),
  })
}
