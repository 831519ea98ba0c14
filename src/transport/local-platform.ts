import { DEV } from '../core/dev'
import { isBrowser } from '../core/host'
import { isRecord } from '../core/is-record'
import { AuthError } from '../errors/auth-error'
import type { Answer, NoAnswer } from './attempt'
import { isLoopback } from './config'
import type { Config } from './config'

/**
 * Whether a missing answer means that nothing listens at an address of this machine: the platform has to be started, and
 * retries would only keep the page waiting.
 */
export const isNotRunning: (config: Config, result: NoAnswer) => boolean = DEV
  ? ({ baseUrl }, { timedOut, cause }) => {
      if (timedOut || !isLoopback(baseUrl) || !isRecord(cause)) return false
      const { cause: reason } = cause
      // Browsers give no reason. A fetch with a reason other than theirs is the app's own, or the in-process platform's.
      if (!reason) return isBrowser() || cause['code'] === 'ConnectionRefused'
      return isRecord(reason) && reason['code'] === 'ECONNREFUSED'
    }
  : () => false

/**
 * A local platform has only its own project; keys of another were most likely meant for elsewhere. The newer release checks
 * the project before the key. Undefined: another refusal, or of another machine.
 */
export const unknownLocalProject: (config: Config, answer: Answer) => AuthError<UnknownProject> | undefined = DEV
  ? ({ baseUrl, projectId }, { code, error, status }) => {
      if ((code !== 'INVALID_PUBLISHABLE_CLIENT_KEY' && code !== 'CURRENT_PROJECT_NOT_FOUND') || !isLoopback(baseUrl))
        return undefined
      return new AuthError<UnknownProject>(
        code,
        `${baseUrl} has no project "${projectId}" with this publishable client key; leave out projectId and publishableClientKey, in the environment as well, or start the app by \`npx rxauth dev -- <command>\``,
        { status, details: error?.details as AuthError<UnknownProject>['details'] },
      )
    }
  : () => undefined

type UnknownProject = 'INVALID_PUBLISHABLE_CLIENT_KEY' | 'CURRENT_PROJECT_NOT_FOUND'
