import type { ClientOptions, Flow } from 'rxauth'
import { totpCode } from '../../src/core/totp'
import { tabStorage } from '../tab-storage'
import { ada, grace, world } from '../world'

export const secret = Uint8Array.from('12345678901234567890', character => character.charCodeAt(0))

export const guarded = { ...grace, totpSecret: btoa(String.fromCharCode(...secret)) }

export const gracesPassword = { email: grace.email, password: grace.password }

/** A world in which Grace has a second factor, and a signed-out app in a tab of its own. */
export async function tab() {
  const inner = await world({ platform: { seed: { users: [ada, guarded] } } })
  const storage = tabStorage()
  const newTab = (given: Partial<ClientOptions> = {}) => inner.newApp({ host: { sessionStorage: storage }, ...given })
  const totp = () => totpCode(secret, inner.clock.now())
  return { ...inner, storage, newTab, app: newTab(), totp }
}

export type Tab = Awaited<ReturnType<typeof tab>>

/** Grace's password was right. */
export async function askForTotp({ app, settled }: Pick<Tab, 'app' | 'settled'>) {
  const result = await settled(app.signInWithPassword(gracesPassword))
  expect(result).toMatchObject({ ok: false, error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' } })
}

export function steps(app: Tab['app']): string[] {
  const seen: string[] = []
  app.flow$.subscribe((flow: Flow) => seen.push(flow.status))
  return seen
}
