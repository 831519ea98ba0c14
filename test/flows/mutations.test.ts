import type { ClientApp, CurrentUser } from 'rxauth'
import { ada } from '../world'
import { clientWrites } from './every-sample'
import { bare, clientStage, clock, labId, untilNewDigits } from './stage'

type Seen = CurrentUser | null | undefined

const isAda = (user: Seen) => user?.primaryEmail === ada.email

/** For every write that changes `anyUser$`: its value when the promise has resolved. */
const shows: Readonly<Record<string, (user: Seen) => unknown>> = {
  updateUser: user => user?.displayName === 'Countess' && JSON.stringify(user.clientMetadata) === '{"theme":"dark"}',
  deleteUser: user => user === null,
  signOut: user => user === null,
  setPassword: user => user?.hasPassword,
  verifyEmail: user => user?.primaryEmailVerified,
  // The new password has ended every session.
  resetPassword: user => user === null,
  enableTotp: user => user?.requiresTotpMfa,
  disableTotp: user => user?.requiresTotpMfa === false,
  registerPasskey: user => user?.passkeyAuthEnabled,
  signInWithPassword: isAda,
  signUpWithPassword: user => user?.primaryEmail === 'born@example.com',
  signUpAnonymously: user => user?.isAnonymous,
  signInWithMagicLink: user => user?.primaryEmail === bare.email,
  signInWithPasskey: isAda,
  signInWithSaved: isAda,
  continueSignIn: isAda,
  selectTeam: user => user?.selectedTeam?.id === labId,
  leaveTeam: user => user?.selectedTeam === null,
  createContactChannel: user => user?.primaryEmail === 'home@example.com',
}

describe('when its promise resolves, every subscriber has the new value', () => {
  it.each(Object.entries(shows))('%s', async (name, isShown) => {
    const { as = ada.email, prepare, write } = clientWrites[name]!
    const stage = await clientStage(as)
    const { app } = stage
    const told: Record<string, Seen> = {}
    app.anyUser$.subscribe(user => (told['anyUser$'] = user))
    app.auth$.subscribe(
      auth => (told['auth$'] = 'user' in auth ? auth.user : auth.status === 'unknown' ? undefined : null),
    )
    app.anyUser$.listen(() => (told['listen'] = valueOf(app)))
    app.derive(read => read(app.anyUser$)).subscribe(user => (told['derived'] = user))
    await clock.advance(1000)
    const prepared = (await prepare?.(stage)) as never
    await clock.advance(untilNewDigits())
    expect(Boolean(isShown(told['anyUser$']))).toBe(false)
    let atTheEnd: Record<string, Seen> = {}
    let outcome: unknown
    let isDone = false
    const written = write(stage, prepared)
      .then(result => {
        outcome = result
        atTheEnd = { ...told }
      })
      .finally(() => (isDone = true))
    while (!isDone) await clock.advance(100)
    await written
    expect([outcome]).not.toEqual([expect.objectContaining({ ok: false })])
    for (const [where, user] of Object.entries(atTheEnd)) expect([where, Boolean(isShown(user))]).toEqual([where, true])
    expect(Object.keys(atTheEnd)).toHaveLength(4)
    app.dispose()
  })
})

function valueOf(app: ClientApp): Seen {
  const { snapshot } = app.anyUser$
  return snapshot.status === 'ready' ? snapshot.value : undefined
}
