import { isBrowser } from '../core/host'
import { isRecord } from '../core/is-record'
import { AuthError } from '../errors/auth-error'
import type { Answer, NoAnswer } from './attempt'
import { isLoopback } from './config'
import type { Config } from './config'

const refused = /ECONNREFUSED|connection ?refused/i

/**
 * Whether no answer means that nothing listens at an address of this machine: the developer has to start the platform, and
 * to ask again would only keep the page waiting.
 */
export function isNotRunning({ baseUrl }: Config, { timedOut, cause }: NoAnswer): boolean {
  if (timedOut || !isLoopback(baseUrl)) return false
  // Browsers do not say why. A fetch that says more than they do is the app's own, or the in-process platform's.
  if (isBrowser() && !(isRecord(cause) && cause['cause'])) return true
  return saysRefused(cause)
}

/** Node and its like say it in the cause, once for each address of a name; wherever it is, it is not far down. */
function saysRefused(error: unknown, depth = 0): boolean {
  if (!isRecord(error) || depth > 3) return false
  const { code, message, cause, errors } = error
  if (refused.test(`${String(code)} ${String(message)}`)) return true
  return [cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])].some(each => saysRefused(each, depth + 1))
}

/** A local platform knows its own project; an app with the keys of another one is most often configured for elsewhere. */
export function unknownLocalProject(
  { baseUrl, projectId }: Config,
  { error, status }: Answer,
): AuthError<'INVALID_PUBLISHABLE_CLIENT_KEY'> {
  return new AuthError(
    'INVALID_PUBLISHABLE_CLIENT_KEY',
    `the platform at ${baseUrl} has no project "${projectId}" with this publishable client key; leave out projectId and publishableClientKey, in the environment as well (NEXT_PUBLIC_STACK_…), for the project of \`npx rxauth dev\`, or start the app by \`npx rxauth dev -- <command>\`, which sets them`,
    { status, details: error?.details as AuthError<'INVALID_PUBLISHABLE_CLIENT_KEY'>['details'] },
  )
}
