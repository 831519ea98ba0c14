import { accountTokens, cookieTokens, createClientApp, memoryTokens, otherAccounts$ } from 'rxauth'
import type { Account, TokenSource } from 'rxauth'
import { keyStorage, type KeyStorage } from '../key-storage'
import { browser, credentialsOf, type Tab } from '../tabs'
import { ada, grace } from '../world'

export const bob = { email: 'bob@example.com', password: 'hunter22222', displayName: 'Bob' }

export type People = ReturnType<typeof people>

interface PeopleOptions extends NonNullable<Parameters<typeof browser>[0]> {
  readonly max?: number
  readonly local?: KeyStorage
  readonly source?: () => TokenSource
}

/** A browser in which several people can have a session. */
export function people({ max = 5, local = keyStorage(), source = cookieTokens, ...options }: PeopleOptions = {}) {
  const one = browser({ seed: { users: [ada, grace, bob] }, ...options })
  const inTime = async <T>(promise: Promise<T>) => {
    promise.catch(() => undefined)
    await one.clock.advance(10_000)
    return one.clock.settled(promise)
  }
  const tab = (given: Parameters<typeof one.tab>[0] = {}) =>
    one.tab({ tokens: accountTokens(source(), { max, storage: local }), ...given })
  const signIn = async ({ app }: Tab, person: { readonly email: string; readonly password: string }) => {
    const result = await inTime(app.signInWithPassword(credentialsOf(person)))
    if (!result.ok) throw result.error
    return result.value.userId
  }
  /** Signed in one after the other in that tab; their ids. */
  const signedIn = async (in_: Tab, ...all: readonly (typeof ada)[]) => {
    const ids: string[] = []
    for (const person of all) {
      ids.push(await signIn(in_, person))
      await inTime(in_.app.user$.get())
    }
    return ids
  }
  const others = async ({ app }: Tab) => namesOf(await inTime(otherAccounts$(app).refresh()))
  const active = async ({ app }: Tab) => (await inTime(app.user$.get()))?.displayName ?? null
  /** How many sessions a person has on the platform, apart from the one that asks. */
  const sessionsOf = async (person: { readonly email: string }) => {
    const app = createClientApp({ ...one.platform.options, tokens: await one.platform.tokensFor(person.email) })
    const all = await inTime(app.sessions$.get())
    await inTime(app.signOut())
    app.dispose()
    return all.length - 1
  }
  /** Ends all sessions of a person, as on another device. */
  const endSessionsOf = async (person: { readonly email: string }) => {
    const app = createClientApp({ ...one.platform.options, tokens: memoryTokens() })
    await inTime(app.signInWithPassword(credentialsOf(person as typeof ada)))
    await inTime(app.signOut({ everywhere: true }))
    app.dispose()
  }
  return { ...one, local, inTime, tab, signIn, signedIn, others, active, sessionsOf, endSessionsOf }
}

export function namesOf(accounts: readonly Account[]): string[] {
  return accounts.map(
    ({ displayName, primaryEmail, needsSignIn }) =>
      `${displayName ?? primaryEmail ?? '?'}${needsSignIn ? ' (sign in)' : ''}`,
  )
}

/** What a tab shows, as it goes. */
export function watched({ app }: Tab): string[] {
  const log: string[] = []
  app.auth$.subscribe(auth =>
    log.push(
      auth.status === 'signed-in'
        ? `auth ${auth.user.displayName}`
        : auth.status === 'signed-out'
          ? `out ${auth.reason}`
          : auth.status,
    ),
  )
  app.user$.subscribe(user => log.push(`user ${user?.displayName ?? null}`))
  otherAccounts$(app).subscribe(accounts => log.push(`others ${namesOf(accounts).join()}`))
  return log
}
