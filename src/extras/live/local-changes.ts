import { developerError, type AuthError } from '../../errors/auth-error'
import { coreOf, type Core, type Kit } from '../../store/kit-parts'
import { liveConnection } from './connection'
import { eventLines } from './event-lines'

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
      return eventLines(request, {
        field(name, value) {
          if (name === 'data') listener(value)
        },
        lost: () => (lostAt = clock.monotonic()),
        refused({ status }) {
          if (status !== 404) return
          live.close()
          core.onUnhandled(notHere(core))
        },
      })
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
