import { known } from '../model/refusal'
import { compareSync } from 'bcryptjs'
import type { Engine, PasswordCost } from '../model/engine'

/** Characters. */
const minLength = 8

export function requirePasswords({ settings }: Engine): void {
  if (!settings.credentialEnabled)
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

const iterationsOf = { test: 1, real: 600_000 } as const

/** Whether a user can be imported with this hash: bcrypt with at most 16 rounds. */
export function isImportableHash(hash: string): boolean {
  const [, rounds] = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash) ?? []
  return rounds !== undefined && Number(rounds) >= 4 && Number(rounds) <= 16
}

/** A salted PBKDF2-SHA-256 hash of the password, with its parameters. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const iterations = iterationsOf[cost]
  return `pbkdf2-sha256$${iterations}$${toHex(salt)}$${toHex(await derive(password, salt, iterations))}`
}

/** Whether the password has this hash. Without a hash the answer is false after the same time, as for an unknown user. */
export async function checkPassword(password: string, hash: string | null, cost: PasswordCost): Promise<boolean> {
  // The hash determines the time: 16 rounds take many seconds.
  if (hash?.startsWith('$2')) return compareSync(password, hash)
  const [, iterations, salt, expected] = (hash ?? `none$${iterationsOf[cost]}$${'00'.repeat(16)}$`).split('$')
  return toHex(await derive(password, fromHex(salt ?? ''), Number(iterations))) === expected
}

async function derive(password: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveBits'])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256))
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
}
