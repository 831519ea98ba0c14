import { wireWorld, type Answer } from '../wire-world'

export const json = { 'content-type': 'application/json' }

export function signUpWith(raw: string | undefined, headers: Record<string, string> = {}): Promise<Answer> {
  return wireWorld().ask('POST /auth/password/sign-up', { headers, ...(raw !== undefined && { raw }) })
}
