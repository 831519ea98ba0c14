// rxauth/platform/node: the local platform over HTTP.
export { listen } from './platform/node/listen'
export type { Listening, ListenOptions } from './platform/node/listen'
