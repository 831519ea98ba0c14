import type { CliLogin } from 'rxauth'
import type { Observable } from 'rxjs'
import { world, type World } from '../../world'

export const appUrl = 'https://app.example.com'

export const start = 'POST /auth/cli'

export const poll = 'POST /auth/cli/poll'

export interface Sent {
  readonly at: number
  readonly line: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/** A signed-out program, a browser with Ada signed in, and the program's requests. */
export async function program(options: Parameters<World['newApp']>[0] = {}) {
  const one = await world()
  const startedAt = one.clock.now()
  const sent: Sent[] = []
  const { fetch } = one.platform.options
  const cli = one.newApp({
    ...options,
    fetch: (input, init) => {
      const line = `${init?.method} ${new URL(input as string).pathname.replace('/api/v1', '')}`
      const body = line.endsWith('/oauth/token') ? {} : (JSON.parse((init?.body as string | undefined) ?? '{}') as {})
      sent.push({ at: one.clock.now() - startedAt, line, body, headers: new Headers(init?.headers) })
      return (options.fetch ?? fetch)(input, init)
    },
  })
  const pollsAt = () => sent.filter(({ line }) => line === poll).map(({ at }) => at)
  return { ...one, cli, browser: one.app, sent, pollsAt }
}

/** All states of a login. */
export function follow(login$: Observable<CliLogin>) {
  const seen: (CliLogin | 'complete' | { readonly thrown: unknown })[] = []
  const subscription = login$.subscribe({
    next: state => seen.push(state),
    error: (thrown: unknown) => seen.push({ thrown }),
    complete: () => seen.push('complete'),
  })
  const steps = () => seen.map(each => (typeof each === 'object' ? ('status' in each ? each.status : 'thrown') : each))
  return { seen, steps, subscription, loginCode: () => codeIn(seen) }
}

export function codeIn(seen: readonly unknown[]): string {
  const waiting = seen.find((each): each is CliLogin & { status: 'waiting' } => (each as CliLogin).status === 'waiting')
  if (!waiting) throw new Error('the login is not waiting')
  return waiting.loginCode
}

/** Answers of the poll that the platform would not give. */
export function answering(body: unknown, headers: Readonly<Record<string, string>> = {}): typeof globalThis.fetch {
  return () => Promise.resolve(Response.json(body, { headers }))
}
