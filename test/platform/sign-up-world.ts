import type { PlatformOptions, ProjectConfig } from 'rxauth/platform'
import { oauthWorld } from './oauth-world'

export const callback = 'http://localhost:3000/callback'

export const grace = { email: 'grace@example.com', password: 'correct horse' }

export const signUpWorld = (config: Partial<ProjectConfig> = {}, options: PlatformOptions = {}) =>
  oauthWorld({ magicLinkEnabled: true, ...config }, { wire: '2026', ...options })
