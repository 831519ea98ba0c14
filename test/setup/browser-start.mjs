import { createJiti } from 'jiti'
import bundle from './bundle.mjs'

export default async function start() {
  await bundle()
  const { share } = await createJiti(import.meta.url).import('../browser/shared.ts')
  // Jest has no other place in which the start of a project leaves something for its end.
  globalThis.endOfBrowserSuites = await share()
}
