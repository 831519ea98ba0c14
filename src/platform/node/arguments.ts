import { defaultWire, isWire, wires } from '../wire'
import type { Wire } from '../wire'
import { defaultPort } from './listen'

/** What the command line asks for. */
export type Asked =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'dev'
      readonly port: number
      readonly isStrict: boolean
      readonly wire: Wire
      readonly allowedHosts: readonly string[]
      readonly allowedOrigins: readonly string[]
      readonly webhooks: readonly string[]
      readonly command: readonly string[]
    }
  | { readonly kind: 'misunderstood'; readonly message: string }

export const help = `Usage: rxauth dev [options] [-- command…]

Starts a local authentication platform on this machine, in memory: no account, no Docker, no network.

  --port N               the port to listen on; 0 takes a free one (default ${defaultPort})
  --wire RELEASE         speaks like this release of the hosted platform: ${wires.join(' or ')} (default ${defaultWire})
  --strict               refuses what the hosted platform refuses: anonymous sign-up is off
  --allow-host NAME      a name that it is reached by besides localhost, such as auth.test; may be given again
  --allow-origin ORIGIN  an origin besides those of this machine, such as https://app.test, whose pages may read the
                         mailbox and use the secret keys; may be given again
  --webhook URL          an address of an app on this machine that is told of what happens; may be given again
  -- command…            runs the command with the platform's address and keys in its environment, and ends with it
  --help                 shows this text

The command is given NEXT_PUBLIC_STACK_API_URL, NEXT_PUBLIC_STACK_PROJECT_ID,
NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY, STACK_SECRET_SERVER_KEY, STACK_SUPER_SECRET_ADMIN_KEY and
STACK_WEBHOOK_SECRET.

Example: rxauth dev -- npm run start
`

/** Reads the arguments after the program's name. */
export function readArguments(given: readonly string[]): Asked {
  const end = given.indexOf('--')
  const own = end < 0 ? given : given.slice(0, end)
  const command = end < 0 ? [] : given.slice(end + 1)
  if (own.some(argument => argument === '--help' || argument === '-h')) return { kind: 'help' }
  const [verb, ...options] = own
  if (verb === undefined) return misunderstood('what to do is missing')
  if (verb !== 'dev') return misunderstood(`"${verb}" is not something that rxauth does`)
  if (end >= 0 && command.length === 0) return misunderstood('the command after -- is missing')
  let port = defaultPort
  let isStrict = false
  let wire = defaultWire
  const allowedHosts: string[] = []
  const allowedOrigins: string[] = []
  const webhooks: string[] = []
  const lists: Readonly<Record<string, string[]>> = {
    '--allow-host': allowedHosts,
    '--allow-origin': allowedOrigins,
    '--webhook': webhooks,
  }
  for (let option = options.shift(); option !== undefined; option = options.shift()) {
    if (option === '--strict') {
      isStrict = true
      continue
    }
    // An address may have an equals sign of its own.
    const [name = '', inline] = option.split(/=(.*)/s, 2)
    const list = lists[name]
    if (name !== '--port' && name !== '--wire' && !list)
      return misunderstood(`unknown option "${option}"; a command comes after --`)
    const value = inline ?? options.shift() ?? ''
    if (list) {
      list.push(value)
      continue
    }
    if (name === '--wire') {
      if (!isWire(value)) return misunderstood(`--wire takes ${wires.join(' or ')}, not "${value}"`)
      wire = value
      continue
    }
    port = /^\d+$/.test(value) ? Number(value) : -1
    if (port < 0 || port > 65_535) return misunderstood(`--port takes a number from 0 to 65535, not "${value}"`)
  }
  return { kind: 'dev', port, isStrict, wire, allowedHosts, allowedOrigins, webhooks, command }
}

function misunderstood(what: string): Asked {
  return {
    kind: 'misunderstood',
    message: `rxauth: ${what}\nTry: rxauth dev [options] [-- command…], or rxauth --help`,
  }
}
