import type { PlatformOptions, Wire } from 'rxauth/platform'
import { localProject } from '../../src/core/defaults'
import { ada, wireWorld, type World } from './wire-world'

export const { projectId } = localProject

export const unverified = { email: 'grace@example.com', password: 'correct horse' }

export const restricted = {
  email: 'eve@example.com',
  password: 'correct horse',
  verified: true,
  restricted: true,
} as const

/** The releases of 2026. */
export const newerWires = ['2.8.86', '2026'] as const satisfies readonly Wire[]

export const newer = (options: PlatformOptions = {}) => wireWorld({ wire: '2026', ...options })

export const demanding = () =>
  newer({ seed: { project: { config: { requireEmailVerification: true } }, users: [ada, unverified, restricted] } })

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly user_id: string
}

export async function anonymous({ ask }: World): Promise<Tokens> {
  const { body } = await ask('POST /auth/anonymous/sign-up')
  return body as Tokens
}

export const admitted = { 'x-stack-allow-anonymous-user': 'true' }

export const [light, dark] = ['1df07ae6-abf3-4a40-83a5-a1a2cbe336ac', 'a0172b5d-cff0-463b-83bb-85124697373a']

/** A user of the newer wire with an id of its own. */
export const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com' }
