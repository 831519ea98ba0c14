// rxauth/platform/node: the local platform over HTTP, and on a file.
export { listen } from './platform/node/listen'
export type { Listening, ListenOptions } from './platform/node/listen'
export { openPlatform } from './platform/node/open-platform'
