import { virtualWeb, type VirtualWeb } from '../../oauth-web'

/** The pages and the platform of a case: new for each case of a file that imports this one. */
export let web: VirtualWeb

beforeEach(() => {
  web = virtualWeb()
})

afterEach(() => web.close())

/** Replaces them, before a page is open, by pages on a platform of 2026: its answers differ from those of 2.8.18. */
export function begin(config: Parameters<typeof virtualWeb>[0] = {}): VirtualWeb {
  return (web = virtualWeb(config, { wire: '2026' }))
}
