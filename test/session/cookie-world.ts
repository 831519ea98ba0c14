import type { Tokens } from 'rxauth'
import { accessTokenText } from './access-token-text'

export const projectId = '6f7f1d05-4a4b-4d77-8b7b-7ab4b1c9b2a1'

export const tokens: Tokens = { accessToken: accessTokenText(), refreshToken: 'refresh/1+=' }
