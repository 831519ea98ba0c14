import { isBrowser } from '../core/host'
import { isAuthError } from '../errors/auth-error'
import { isErrorCode } from '../errors/known-codes'
import type { Commits } from '../store/commit'

/** Reports errors of the app's code that no caller awaits: to the app's own function, else to `report`. */
export function unhandledBy(commits: Commits, tell: (error: unknown) => void = report): (error: unknown) => void {
  // Code of the app: commits that it requests wait, and its errors stop no other subscriber.
  return error => {
    commits.after(() => {
      try {
        tell(error)
      } catch (thrown) {
        report(thrown)
      }
    })
  }
}

/** Default report of unhandled errors, as the specification defines it. */
function report(error: unknown): void {
  // Messages of the kit itself are for developers, not for users.
  const isForUsers = isAuthError(error) && isErrorCode(error.code)
  if (isBrowser())
    window.alert(isForUsers ? error.message : 'Something went wrong. Please tell the developer of this page.')
  // eslint-disable-next-line no-console -- no caller awaits it
  console.error(error)
}
