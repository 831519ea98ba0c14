import { DEV } from '../core/dev'
import { isBrowser } from '../core/host'
import { isRecord } from '../core/is-record'
import { AuthError } from '../errors/auth-error'
import type { Answer, NoAnswer } from './attempt'
import { isLoopback } from './config'
import type { Config } from './config'

/** What to write for an address of https on this machine: the local platform speaks http. Empty for other addresses. */
export const httpHint: (config: Config) => string = DEV
  ? ({ baseUrl }) =>
      baseUrl.startsWith('https:') && isLoopback(baseUrl)
        ? `; \`npx rxauth dev\` speaks http: ${baseUrl.replace('s', '')}`
        : ''
  : () => ''

/**
 * Whether a missing answer means that nothing listens at an address of this machine, or nothing that speaks https: retries
 * would only keep the page waiting.
 */
export const isNotRunning: (config: Config, result: NoAnswer) => boolean = DEV
  ? ({ baseUrl }, { timedOut, cause }) => {
      if (timedOut || !isLoopback(baseUrl) || !isRecord(cause)) return false
      const { cause: reason } = cause
      // Browsers give no reason. A fetch with a reason other than theirs is the app's own, or the in-process platform's.
      const { code } = isRecord(reason) ? reason : cause
      return /^(ECONNREFUSED|ConnectionRefused|ERR_SSL_\w+)$/.test(String(code)) || (!reason && isBrowser())
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
