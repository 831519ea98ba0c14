// The search of the site: an index in the browser, without a service.
import { searchOptions } from '../../src/cli/mcp/search-docs'

export const search = {
  provider: 'local',
  options: {
    translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
    miniSearch: { searchOptions },
    // Pages for contributors would take the first places of what users look for; the start page only links.
    _render(text: string, env: { readonly relativePath: string }, md: { render(text: string, env: object): string }) {
      const html = md.render(text, Object.assign(env, { isForSearch: true }))
      return /^(contributing\/|index\.md)/.test(env.relativePath) ? '' : html
    },
  },
}
