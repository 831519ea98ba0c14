import { createJiti } from 'jiti'
import { existsSync } from 'node:fs'
import bundle from './bundle.mjs'

export default async function start() {
  if (!existsSync(new URL('../../dist/index.js', import.meta.url)))
    throw new Error('dist is missing, which the browser tests load: run `npm run build` first')
  await bundle()
  const { share } = await createJiti(import.meta.url).import('../browser/shared.ts')
  // Jest has no other place in which the start of a project leaves something for its end.
  globalThis.endOfBrowserSuites = await share()
}
