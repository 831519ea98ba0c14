import type { PlatformOptions, ProjectConfig } from 'rxauth/platform'
import { oauthWorld } from './oauth-world'

export const newer = (config: Partial<ProjectConfig> = {}, options: PlatformOptions = {}) =>
  oauthWorld(config, { wire: '2026', ...options })

export const untrusted = 'https://elsewhere.example.com/page'
