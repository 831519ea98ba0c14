import type { World } from '../world'

export const refresh = 'POST /auth/oauth/token'

export const minute = 60_000

export function refreshes({ requests }: World): number {
  return requests.filter(request => request === refresh).length
}
