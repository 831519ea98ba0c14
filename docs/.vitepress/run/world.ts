import * as client from 'rxauth'
import type { ClientApp, ClientOptions } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import type { Platform, PlatformOptions } from 'rxauth/platform'
import { everythingOn, readyMade } from '../../../src/cli/ready-made'

// Hidden code of a page calls it: the platform at http://localhost:8102 is another one from then on.
declare global {
  function serve(options?: PlatformOptions & Pick<ClientOptions, 'host'>): Platform
}

export const address = 'http://localhost:8102'

/** The machine of a reader: `npx rxauth dev` runs, and the block was started by it. */
export interface World {
  readonly serve: typeof serve
  /** That of `rxauth` on this machine. */
  readonly createClientApp: (options: ClientOptions) => ClientApp
  /** What the platform answers; undefined: the address is another one. */
  readonly answer: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response> | undefined
  readonly env: Readonly<Record<string, string>>
}

export function makeWorld(create: (options: PlatformOptions) => Platform = createPlatform): World {
  let platform: Platform | undefined
  let browser: Pick<ClientOptions, 'clock' | 'host'> = {}
  const current = () => (platform ??= create(asServed()))
  const { serverOptions, adminOptions } = createPlatform()
  return {
    serve({ host, ...options } = {}) {
      browser = { ...(options.clock && { clock: options.clock }), ...(host && { host }) }
      return (platform = create(asServed(options)))
    },
    createClientApp: options => withPasskeys(client.createClientApp({ ...browser, ...options }), current),
    answer(input, init) {
      const url = input instanceof Request ? input.url : String(input)
      return url.startsWith(address) ? current().options.fetch(input, init) : undefined
    },
    env: {
      STACK_API_URL: address,
      STACK_PROJECT_ID: serverOptions.projectId,
      STACK_PUBLISHABLE_CLIENT_KEY: serverOptions.publishableClientKey,
      STACK_SECRET_SERVER_KEY: serverOptions.secretServerKey,
      STACK_SUPER_SECRET_ADMIN_KEY: adminOptions.superSecretAdminKey,
    },
  }
}

/** As `rxauth dev` makes it, with what an option says instead. */
function asServed({ seed, ...options }: PlatformOptions = {}): PlatformOptions {
  const config = { ...everythingOn('local'), ...seed?.project?.config }
  const people = seed?.users ? seed : { ...readyMade, ...seed }
  return { ...options, seed: { ...people, project: { ...seed?.project, config } } }
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
