import { wait } from '../core/clock'
import { jsonText, isRecord } from '../core/values'
import { misuse, developerError } from '../errors/auth-error'
import { isTrustedTarget } from '../navigation/targets'
import { coreOf, type Kit } from '../store/kit-parts'
import { parseNote, tabNote } from '../store/tabs/tab-notes'

/** How long a redirect waits for the page to unload. */
const redirectWaitMillis = 2000

/** The time in which redirects to one URL are counted. */
const loopMillis = 10_000
/** More redirects after clicks are a loop. */
const maxRedirects = 10
/** More redirects without a click are a loop. */
const maxAutomaticRedirects = 2

/**
 * Goes to `target` and waits 2000 ms for the page to unload; returns false at once if the kit does not navigate.
 *
 * Throws INVALID_INPUT if the target is not trusted, REDIRECT_LOOP if the page keeps coming back.
 */
export async function redirect(
  kit: Kit<never>,
  target: string,
  options: { readonly replace?: boolean | undefined; readonly automatic?: boolean | undefined } = {},
): Promise<boolean> {
  const core = coreOf(kit)
  const { navigation, clock, session } = core
  core.assertAlive()
  assertTrusted(kit, 'target', target)
  if (!navigation.go) return false
  breakLoop(kit, target, options.automatic ? maxAutomaticRedirects : maxRedirects)
  navigation.go(target, { replace: options.replace ?? false })
  await wait(clock, redirectWaitMillis, session.ended)
  return true
}

/** Throws INVALID_INPUT if `url` leads away from the app and its trusted domains. */
export function assertTrusted(kit: Kit<never>, field: string, url: string): void {
  if (isTrustedTarget(coreOf(kit).navigation, url)) return
  throw misuse(
    field,
    `"${url}" is neither relative, nor of the same origin, nor on a trusted domain; add its origin to trustedDomains`,
  )
}

const recently = { of: 'redirects' }

/** The redirects until now are no loop. */
export function forgetRedirects(kit: Kit<never>): void {
  tabNote(kit, recently).write(null)
}

function breakLoop(kit: Kit<never>, target: string, limit: number): void {
  const now = coreOf(kit).clock.now()
  // A note, because every redirect may load a new page; unreadable notes are ignored.
  const note = tabNote(kit, recently)
  const recent = redirects(parseNote(note.read())).filter(({ at }) => at > now - loopMillis && at <= now)
  const count = recent.filter(({ url }) => url === target).length
  if (count >= limit)
    throw developerError(
      'REDIRECT_LOOP',
      `redirected to "${target}" ${count} times within ${loopMillis / 1000} s; does that page redirect back?`,
      { details: { url: target, count } },
    )
  note.write(jsonText([...recent, { at: now, url: target }]))
}

function redirects(read: unknown): readonly { readonly at: number; readonly url: string }[] {
  if (!Array.isArray(read)) return []
  return read.filter(
    (entry): entry is { at: number; url: string } =>
      isRecord(entry) && typeof entry['at'] === 'number' && typeof entry['url'] === 'string',
  )
}
