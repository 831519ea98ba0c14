import { createPlatform, virtualClock, type Platform, type PlatformOptions, type VirtualClock } from 'rxauth/platform'
import catalogue from '../wire/errors.json'
import newer from '../wire/newer-errors.json'

/** The hosted platform's addresses of the seed's rows. */
export const ada = {
  id: '3f6a1c52-0b9e-4d3e-8a55-2f0b1a9d7c11',
  email: 'ada@example.com',
  password: 'correct horse battery',
  displayName: 'Ada',
  verified: true,
} as const
export const team = { id: 'b0c1d2e3-1111-4222-8333-444455556666', displayName: 'Analytical' } as const

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; the text if it is no JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reaches into it, and fails on a wrong guess
  readonly body: any
}

export interface Ask {
  readonly access?: 'client' | 'server' | 'admin' | null
  readonly body?: unknown
  /** Sent as it stands. */
  readonly raw?: string
  readonly accessToken?: string | null | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export interface World {
  readonly clock: VirtualClock
  readonly platform: Platform
  /** A request in the notation of the hosted platform's documentation: `ask('GET /users/me', { accessToken })`. */
  ask(line: string, how?: Ask): Promise<Answer>
}

/** A new platform on a virtual clock; Ada is in it unless the seed says otherwise. */
export function wireWorld(options: PlatformOptions = {}): World {
  const clock = virtualClock()
  const platform = createPlatform({ clock, seed: { users: [ada] }, ...options })
  return { clock, platform, ask: (line, how) => ask(platform, line, how) }
}

export async function ask(platform: Platform, line: string, how: Ask = {}): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ')
  const { access = 'client', body, raw = body === undefined ? undefined : JSON.stringify(body), accessToken } = how
  const response = await platform.fetch(
    new Request(`${platform.options.baseUrl}/api/v1${path === '/' ? '' : path}`, {
      method,
      headers: {
        ...(access && keysFor(platform, access)),
        ...(typeof accessToken === 'string' && { 'x-stack-access-token': accessToken }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...how.headers,
      },
      ...(raw !== undefined && { body: new TextEncoder().encode(raw) }),
    }),
  )
  return toAnswer(response)
}

export async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parse(text) }
}

export function keysFor({ adminOptions }: Platform, access: 'client' | 'server' | 'admin'): Record<string, string> {
  return {
    'x-stack-access-type': access,
    'x-stack-project-id': adminOptions.projectId,
    ...(access === 'client' && { 'x-stack-publishable-client-key': adminOptions.publishableClientKey }),
    ...(access === 'server' && { 'x-stack-secret-server-key': adminOptions.secretServerKey }),
    ...(access === 'admin' && { 'x-stack-super-secret-admin-key': adminOptions.superSecretAdminKey }),
  }
}

/** Expects exactly this known error of the catalogue; returns its details. */
export function expectRefusal(
  answer: Answer,
  code: string,
  /** Additional details of the newer wire, with their forms. */
  added: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  const entry = [...catalogue, ...newer].find(each => each.code === code)
  const forms: Readonly<Record<string, string>> = { ...entry?.details, ...added }
  const hasDetails = Object.keys(forms).length > 0
  expect(faceOf(answer)).toEqual({
    status: entry?.status,
    type: 'application/json; charset=utf-8',
    knownError: code,
    body: { code, error: expect.stringMatching(/./), ...(hasDetails && { details: expect.any(Object) }) },
  })
  expect(Object.keys(answer.body)).toEqual(['code', 'error', ...(hasDetails ? ['details'] : [])])
  expect(answer.text).toBe(JSON.stringify(answer.body, null, 2))
  const details = (answer.body.details ?? {}) as Record<string, unknown>
  expect(Object.keys(details)).toEqual(Object.keys(forms))
  for (const [name, form] of Object.entries(forms)) expect(form).toContain(formOf(details[name], form))
  return details
}

/** Expects a refusal in plain text. */
export function expectPlain(answer: Answer, status: number): void {
  expect(faceOf(answer)).toEqual({
    status,
    type: 'text/plain; charset=utf-8',
    knownError: null,
    body: expect.any(String),
  })
}

/** Expects the status, of which 400 and more is a refusal in plain text, or this known error; with this body, if one is given. */
export function expectAnswer(answer: Answer, expected: number | string, ...body: unknown[]): void {
  if (typeof expected === 'string') expectRefusal(answer, expected)
  else if (expected >= 400) expectPlain(answer, expected)
  else expect([answer.status, ...body.map((): unknown => answer.body)]).toEqual([expected, ...body])
}

/** The parts of an answer that make it a refusal, with the body, so that a failure shows it. */
function faceOf({ status, headers, body }: Answer): object {
  return { status, type: headers.get('content-type'), knownError: headers.get('x-stack-known-error'), body }
}

/** Keys and types of an answer with random values. */
export function formsOf(body: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, value === null ? 'null' : typeof value]))
}

function formOf(value: unknown, form: string): string {
  if (Array.isArray(value)) return '[]'
  if (value === null) return 'null'
  if (form === 'json') return 'json'
  return typeof value === 'string' && form.includes("'") ? `'${value}'` : typeof value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Signs Ada in; returns her tokens in wire names. */
export async function signInAda(world: World): Promise<{ access_token: string; refresh_token: string }> {
  const { body } = await world.ask('POST /auth/password/sign-in', {
    body: { email: ada.email, password: ada.password },
  })
  return body as { access_token: string; refresh_token: string }
}

/** The access token of a new session of that user. */
export async function accessTokenOf({ platform }: World, email: string = ada.email): Promise<string> {
  return (await platform.tokensFor(email)).read()?.accessToken ?? ''
}

/** Whether the refresh token still gives access tokens. */
export async function isAlive({ ask }: World, refreshToken: string): Promise<boolean> {
  const headers = { 'x-stack-refresh-token': refreshToken }
  return (await ask('POST /auth/sessions/current/refresh', { headers })).status === 200
}

/** A text in the form of a code that was never issued. */
export const unknownCode = '0'.repeat(45)
