import { known } from '../model/refusal'
import type { ProjectRow } from '../model/projects'

/** Characters. */
const minLength = 8

export function requirePasswords({ config }: ProjectRow): void {
  if (!config.credentialEnabled)
    throw known(
      'PASSWORD_AUTHENTICATION_NOT_ENABLED',
      'This project does not have password sign-in: switch on credentialEnabled.',
    )
}

/** Checks a password from a client; a server may set any. */
export function requireLongEnough(password: string): void {
  if (password.length < minLength)
    throw known('PASSWORD_TOO_SHORT', `A password has at least ${minLength} characters.`, { minLength })
}
