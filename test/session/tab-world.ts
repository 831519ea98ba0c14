import type { Auth } from 'rxauth'
import type { Tab } from '../tabs'

export function states({ app }: Tab): string[] {
  const seen: string[] = []
  app.auth$.subscribe(auth => seen.push(shortly(auth)))
  return seen
}

export function shortly(auth: Auth): string {
  if (auth.status === 'signed-out') return auth.reason
  return auth.status === 'unknown' ? (auth.error?.code ?? 'unknown') : (auth.user.displayName ?? 'nameless')
}
