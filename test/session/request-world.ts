import { requestTokens, systemClock, type RequestLike, type Tokens, type TokenStore, type WriteCookie } from 'rxauth'
import { accessTokenText } from './access-token-text'

export const projectId = 'project-1'

export const first: Tokens = { accessToken: accessTokenText(), refreshToken: 'refresh-1' }

export const pair = encodeURIComponent(JSON.stringify([first.refreshToken, first.accessToken]))

export const cookie = `theme=dark; stack-refresh-${projectId}=refresh-1; stack-access=${pair}`

export function storeOf(request: RequestLike, write?: WriteCookie): TokenStore {
  const source = requestTokens(request, write)
  return typeof source === 'function' ? source({ projectId, clock: systemClock, host: {} }) : source
}
