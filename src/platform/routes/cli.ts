import * as v from 'valibot'
import { completeCliLogin, pollCliLogin, startCliLogin } from '../../auth/cli-endpoints'
import { withStatus } from '../answered'
import { randomText } from '../random-text'
import { known, plain } from '../refusal'
import { serve } from '../serve'

/** Protocol §12. */
const defaultLifetimeMillis = 7_200_000
const maxLifetimeMillis = 86_400_000

const expiresInMillis = v.optional(
  v.pipe(v.number(), v.maxValue(maxLifetimeMillis, 'must be at most 24 hours')),
  defaultLifetimeMillis,
)

export const cliRoutes = [
  serve(startCliLogin, { mayLackBody: true, body: { expiresInMillis } }, ({ engine, input }) => {
    const { tables, clock } = engine
    const login = tables.cliLogins.put({
      id: randomText(),
      loginCode: randomText(),
      // A time before 1970 would soon be no date at all.
      expiresAt: Math.max(0, clock.now() + (input.expiresInMillis ?? defaultLifetimeMillis)),
      refreshToken: null,
      usedAt: null,
    })
    return { pollingCode: login.id, loginCode: login.loginCode, expiresAt: new Date(login.expiresAt) }
  }),

  serve(pollCliLogin, {}, ({ engine, input }) => {
    const { tables, clock } = engine
    const login = tables.cliLogins.get(input.pollingCode)
    if (!login) throw known('INVALID_POLLING_CODE', 'The polling code is unknown.')
    if (login.expiresAt <= clock.now()) return { status: 'expired' as const }
    if (login.usedAt !== null) return { status: 'used' as const }
    if (login.refreshToken === null) return { status: 'waiting' as const }
    tables.cliLogins.patch(login.id, { usedAt: clock.now() })
    return withStatus(201, { status: 'success' as const, refreshToken: login.refreshToken })
  }),

  serve(completeCliLogin, {}, ({ engine: { tables, clock }, input }) => {
    const login = tables.cliLogins
      .by('loginCode', input.loginCode)
      .find(row => row.refreshToken === null && row.expiresAt > clock.now())
    if (!login) throw plain(400, 'The login code is unknown, has expired or has been completed already.')
    // Stored as it was sent: whoever polls finds out whether it is good.
    tables.cliLogins.patch(login.id, { refreshToken: input.refreshToken })
  }),
]
