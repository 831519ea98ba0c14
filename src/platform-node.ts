// rxauth/platform/node: the local platform over HTTP, and with its data in a file.
export { defineConfig } from './platform/node/config'
export type { ConfiguredProject, ConfiguredSeed, ConfiguredWebhook, RxauthConfig } from './platform/node/config'
export { listen, type HttpAnswer, type Listening, type ListenOptions } from './platform/node/listen'
export { openPlatform } from './platform/node/open-platform'
