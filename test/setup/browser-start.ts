import { share } from '../browser/shared'

/** Jest has no other place in which the start of a project leaves something for its end. */
export default async function start(): Promise<void> {
  Object.assign(globalThis, { endOfBrowserSuites: await share() })
}
