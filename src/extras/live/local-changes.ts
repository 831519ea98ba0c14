import type { AuthError } from '../../errors/auth-error'
import { developerError } from '../../errors/auth-error'
import { coreOf } from '../../store/kit-parts'
import type { Core } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import type { Connection } from './attempt'
import { liveConnection } from './connection'

/** A page loads for at most so long before it connects. */
const loadMillis = 10_000

const path = '/__local__/changes'

/**
 * A source for `followChanges` during development: the changes that a local platform (`npx rxauth dev`, `createPlatform`) tells
 * the signed-in user, with no backend in between. Members of a team are told what happens to the team; users, what happens to
 * them and to people in their teams.
 *
 * Only a local platform has it. Where another one answers, `onUnhandled` gets NOT_ON_THIS_PLATFORM, and nothing else happens.
 *
 * @example
 * followChanges(app, localChanges(app))
 */
export function localChanges(app: Kit): (listener: (event: unknown) => void) => () => void {
  const core = coreOf(app)
  core.assertAlive()
  return listener => {
    const { clock, transport } = core
    const { baseUrl } = transport.config
    let lostAt = clock.monotonic() - loadMillis
    const live = liveConnection(app, (token, signal) => {
      const without = Math.ceil(clock.monotonic() - lostAt)
      const request = () =>
        transport.fetch(`${baseUrl}${path}?without=${without}`, {
          headers: { authorization: `Bearer ${token}` },
          cache: 'no-store',
          credentials: 'omit',
          redirect: 'error',
          signal,
        })
      const lines = new Lines(request, {
        line: listener,
        lost: () => (lostAt = clock.monotonic()),
        lacking() {
          live.close()
          core.onUnhandled(notHere(core))
        },
      })
      // As much of an EventTarget as a live connection uses.
      return lines as Pick<Lines, keyof Lines> as Connection
    })
    return () => {
      live.close()
    }
  }
}

function notHere({ transport }: Core): AuthError {
  const { baseUrl } = transport.config
  return developerError(
    'NOT_ON_THIS_PLATFORM',
    `the platform at ${baseUrl} tells no changes, as a local one does; pass webhooks on from your backend`,
    { status: 404, details: { call: `GET ${path}` } },
  )
}

interface Reader {
  line(json: string): void
  /** No more lines come. */
  lost(): void
  /** The platform has no such address. */
  lacking(): void
}

type Listener = (event: { readonly status?: number | undefined }) => void

/** The data of server-sent events, each in one line. React Native has no `EventTarget` to extend. */
class Lines {
  readonly #listeners = new Map<string, Listener>()
  #parts: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(request: () => Promise<Response>, reader: Reader) {
    void this.#read(request, reader)
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener)
  }

  /** The signal ends the request. Not every `fetch` ends a response that has begun, so its reader is cancelled too. */
  close(): void {
    this.#parts?.cancel().catch(() => undefined)
  }

  async #read(request: () => Promise<Response>, reader: Reader): Promise<void> {
    let isOpen = false
    try {
      const { status, ok, body } = await request()
      if (status === 404) {
        reader.lacking()
        return
      }
      if (!ok || !body) {
        this.#tell('error', status)
        return
      }
      isOpen = true
      this.#tell('open')
      const parts = (this.#parts = body.getReader())
      const decoder = new TextDecoder()
      let rest = ''
      for (let next = await parts.read(); !next.done; next = await parts.read()) {
        const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line.startsWith('data: ')) reader.line(line.slice(6))
      }
    } catch {
      // The platform is not there at the moment, or the connection is lost.
    }
    if (isOpen) reader.lost()
    this.#tell('close')
  }

  #tell(type: string, status?: number): void {
    this.#listeners.get(type)?.({ status })
  }
}
