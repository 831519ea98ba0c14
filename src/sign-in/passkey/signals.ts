import { millisSince } from '../../core/clock'
import { textHash, toBase64Url } from '../../core/encoding'
import { sharedStorage } from '../../core/host'
import { isRecord, orUndefined, parseJson } from '../../core/values'
import type { Owner } from '../../transport/access-token'
import { anyUser$, userUpdated, type CurrentUser } from '../../entities/users/client'
import type { Cell } from '../../store/cell'
import type { Dependent } from '../../store/commit'
import { narrowed } from '../../store/definition'
import { coreOf, slot, type Core, type Kit } from '../../store/kit-parts'
import type { PasskeyAuthenticator, PasskeySignal, Site } from './authenticator'

/** A challenge lives for 65 s, so that no registration takes longer. */
const registrationMillis = 120_000

/** An older value, as of a page that a server has rendered, says nothing of what can still sign in. */
const newMillis = 5000

/** A signal, without its site and the user handle: the bytes of the user's id. */
type Unaddressed =
  | Omit<PasskeySignal & { readonly kind: 'accepted' }, 'rpId' | 'userId'>
  | Omit<PasskeySignal & { readonly kind: 'details' }, 'rpId' | 'userId'>

type Signalled = Pick<PasskeyAuthenticator, 'signal'>

/** The signals that the tabs of this browser have sent. */
interface SignalNote {
  /** The session, as a hash, in which the removal was signalled. */
  readonly removed?: string | undefined
  /** The last details, as a hash. */
  readonly details?: string | undefined
  /** When the last passkey was created or used, in wall time. */
  readonly provedAt?: number
  /** When a registration began that has not ended. */
  readonly registeringAt?: number | undefined
}

/**
 * Tells the browser about changes on the platform, so that it offers no passkey that was removed, and none under a former name. Signals
 * are sent once by all tabs, never awaited, and only of the session's owner. No refused sign-in is signalled: its cause may be a
 * domain that the platform does not trust, and the passkey would be lost.
 */
class PasskeySignals implements Dependent {
  readonly name = 'passkey signals'
  readonly watchers = { count: 0 }
  authenticator: Signalled
  site: Site
  readonly #core: Core
  /** The last user of this kit, also for the signal after the deletion; null in an impersonation. */
  #userId: string | null = null
  #seen: unknown
  /** The registrations of this kit, from their first request to the turn that signals their end. */
  #registrations = 0
  /** The note of a browser whose storage is blocked or full. */
  #note: SignalNote = {}

  constructor(kit: Kit<never>, authenticator: Signalled, site: Site) {
    this.authenticator = authenticator
    this.site = site
    this.#core = coreOf(kit)
    const { changing, clock, commits, slots } = this.#core
    commits.dependents.add(this)
    changing.add(cause => {
      const userId = this.#userId
      if (cause !== 'deleted' || userId === null) return
      void this.#turn(note => {
        this.#accept(userId)
        return note
      })
    })
    slots.set(userUpdated, (user: CurrentUser) => {
      this.#show(user, clock.now())
    })
    this.take()
  }

  /** Looks at the user that the commit shows, without watching its store. */
  take(): boolean {
    const { cells, clock, session } = this.#core
    const isActing = session.store.own['~impersonates']?.(session.stored)
    this.#userId = isActing ? null : (session.identity.userId ?? this.#userId)
    const [cell] = cells.matching(narrowed(anyUser$)) as [Cell?]
    const base = cell?.known.base
    if (base && base !== this.#seen && millisSince(base.fetchedAt, clock) <= newMillis)
      // Overlays are no part of it: the platform may refuse the write.
      this.#show(base.value as CurrentUser | null, clock.now() - (clock.monotonic() - cell.began))
    this.#seen = base
    return false
  }

  tell(): void {}

  dispose(): void {}

  /** A registration begins: until the returned function is called, no tab knows what the platform accepts. */
  registering(): (made: object | undefined) => void {
    const { clock, session } = this.#core
    const { owner, userId } = session.identity
    // At once: a removal that waits for its turn would delete the passkey that is made meanwhile.
    this.#registrations++
    void this.#turn(note => ({ ...note, registeringAt: clock.now() }))
    return made => {
      void this.#turn(note => {
        this.#registrations--
        if (!made || userId === null) return { ...note, registeringAt: undefined }
        if (this.#isOwner(owner)) this.#accept(userId, made)
        return { provedAt: clock.now() }
      })
      const user = this.#seen as { readonly value: CurrentUser | null } | undefined
      if (made && user?.value) this.#show({ ...user.value, passkeyAuthEnabled: true }, clock.now())
    }
  }

  /** A sign-in by this passkey, which began at `since`, has succeeded. */
  proved(userId: string, used: object, since: number): void {
    const { clock, session } = this.#core
    void this.#turn(note => {
      if (session.identity.userId === userId && !this.#isRegistering(note) && !isBefore(since, note))
        this.#accept(userId, used)
      return { ...note, removed: undefined, provedAt: clock.now() }
    })
  }

  /** `asked`: when the answer with this user was requested. */
  #show(user: CurrentUser | null, asked: number): void {
    const { owner, sessionId } = this.#core.session.identity
    if (!user || user.id !== this.#userId) return
    const { id: userId } = user
    const removed = textHash(`${userId} ${sessionId}`)
    const name = user.primaryEmail ?? user.displayName
    const displayName = user.displayName ?? user.primaryEmail
    void this.#turn(note => {
      if (!this.#isOwner(owner) || this.#isRegistering(note)) return note
      if (!user.passkeyAuthEnabled) {
        if (note.removed === removed || isBefore(asked, note)) return note
        this.#accept(userId)
        return { ...note, removed }
      }
      const { hostname: rpId } = this.site
      const details = textHash(JSON.stringify([userId, name, displayName, rpId]))
      if (name !== null && displayName !== null && note.details !== details)
        this.#send(userId, { kind: 'details', name, displayName })
      return { ...note, removed: undefined, details }
    })
  }

  #isOwner(owner: Owner): boolean {
    return this.#core.session.identity.owner === owner
  }

  #isRegistering({ registeringAt = -Infinity }: SignalNote): boolean {
    return this.#registrations > 0 || Math.abs(this.#core.clock.now() - registeringAt) < registrationMillis
  }

  /** `credential`: the only one, which the platform has accepted. */
  #accept(userId: string, credential?: object): void {
    const allAcceptedCredentialIds = credential ? [(credential as { readonly id: string }).id] : []
    this.#send(userId, { kind: 'accepted', allAcceptedCredentialIds })
  }

  #send(userId: string, signal: Unaddressed): void {
    const sent = { ...signal, rpId: this.site.hostname, userId: toBase64Url(new TextEncoder().encode(userId)) }
    void (async () => this.authenticator.signal?.(sent))().catch(() => undefined)
  }

  /** Runs with the note of all tabs, one tab after the other; what it returns is the new note. */
  async #turn(run: (note: SignalNote) => SignalNote): Promise<void> {
    if (!this.authenticator.signal) return
    const { host, transport } = this.#core
    const key = `rxauth-passkeys-${transport.config.projectId}`
    const work = () => {
      const storage = sharedStorage(host)
      // A storage may be blocked or full.
      const stored = orUndefined(() => parseJson(storage?.getItem(key) ?? ''))
      const note = isRecord(stored) ? stored : this.#note
      this.#note = run(note)
      if (this.#note !== note) orUndefined(() => storage?.setItem(key, JSON.stringify(this.#note)))
    }
    try {
      if (host.locks) await host.locks.request(key, {}, work)
      else work()
    } catch {
      // A frame without an origin has neither locks nor passkeys.
    }
  }
}

const signalsKey = {}

/** The kit's signals, which go to this authenticator and site from now on. */
export function signalsOf(kit: Kit<never>, authenticator: Signalled, site: Site): PasskeySignals {
  return Object.assign(
    slot(kit, signalsKey, () => new PasskeySignals(kit, authenticator, site)),
    { authenticator, site },
  )
}

/** Whether an answer that was requested then may not know of the last passkey. */
function isBefore(asked: number, { provedAt = -Infinity }: SignalNote): boolean {
  return asked < provedAt
}
