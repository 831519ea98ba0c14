import { isBrowser } from '../core/host'
import { isRecord } from '../core/is-record'
import { AuthError } from '../errors/auth-error'
import type { Answer, NoAnswer } from './attempt'
import { isLoopback } from './config'
import type { Config } from './config'

/**
 * Whether no answer means that nothing listens at an address of this machine: the developer has to start the platform, and
 * to ask again would only keep the page waiting.
 */
export function isNotRunning({ baseUrl }: Config, { timedOut, cause }: NoAnswer): boolean {
  if (timedOut || !isLoopback(baseUrl) || !isRecord(cause)) return false
  const { cause: reason } = cause
  // Browsers do not say why. A fetch that says more than they do is the app's own, or the in-process platform's.
  if (!reason) return isBrowser() || cause['code'] === 'ConnectionRefused'
  return isRecord(reason) && reason['code'] === 'ECONNREFUSED'
}

/**
 * A local platform knows its own project; an app with the keys of another one is most often configured for elsewhere. The
 * newer release looks for the project first, and then at the key. Undefined: this is another refusal, or of another machine.
 */
export function unknownLocalProject(
  { baseUrl, projectId }: Config,
  { code, error, status }: Answer,
): AuthError<UnknownProject> | undefined {
  if ((code !== 'INVALID_PUBLISHABLE_CLIENT_KEY' && code !== 'CURRENT_PROJECT_NOT_FOUND') || !isLoopback(baseUrl))
    return
  return new AuthError<UnknownProject>(
    code,
    `${baseUrl} has no project "${projectId}" with this publishable client key; leave out projectId and publishableClientKey, in the environment as well, or start the app by \`npx rxauth dev -- <command>\``,
    { status, details: error?.details as AuthError<UnknownProject>['details'] },
  )
}

type UnknownProject = 'INVALID_PUBLISHABLE_CLIENT_KEY' | 'CURRENT_PROJECT_NOT_FOUND'
