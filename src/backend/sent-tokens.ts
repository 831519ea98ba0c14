import { abortWith, onAbort } from '../core/signals'
import { sessionChanged } from '../session/identity'
import type { Owner } from '../transport/access-token'
import { coreOf, slot, type Core } from '../store/kit-parts'
import type { Kit } from '../store/kit'

/** Milliseconds between two refreshes because the app's own backend refuses the token. */
const forcedMillis = 10_000

/** The access tokens that a kit has sent to the app's own backend. */
export interface SentTokens {
  /** Aborts when another owner follows this one, before stores show it, and with the kit. */
  endOf(owner: Owner): AbortSignal
  /**
   * The backend has refused the token. True: the next reader of the session gets another one. False: it was refreshed for
   * this less than 10 s ago, so that a wrong backend does not load the platform.
   */
  refuse(token: string): boolean
}

const sentKey = {}

export function sentTokensOf(kit: Kit<never>): SentTokens {
  return slot(kit, sentKey, () => create(coreOf(kit)))
}

function create({ session, clock, changing }: Core): SentTokens {
  let running: { readonly owner: Owner; readonly controller: AbortController } | undefined
  let forcedAt = -Infinity
  const end = (reason: unknown) => {
    const ended = running
    running = undefined
    if (ended) abortWith(ended.controller, reason)
  }
  onAbort(session.ended, () => {
    end(session.ended.reason)
  })
  changing.add(() => {
    if (running && running.owner !== session.identity.owner) end(sessionChanged())
  })
  return {
    endOf(owner) {
      if (running?.owner !== owner) {
        end(sessionChanged())
        running = { owner, controller: new AbortController() }
      }
      return running.controller.signal
    },
    refuse(token) {
      if (session.tokens?.accessToken !== token) return true
      const now = clock.monotonic()
      if (now - forcedAt < forcedMillis) return false
      forcedAt = now
      session.refused(token)
      return true
    },
  }
}
