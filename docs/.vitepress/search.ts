// The search of the site: an index in the browser, without a service.

/** How a word is looked up. The page gets the text of this function, so it uses nothing outside of itself. */
function wordsOf(term: string): string[] | null {
  const word = term.toLowerCase()
  if (['a', 'an', 'and', 'for', 'from', 'how', 'in', 'is', 'my', 'of', 'on', 'the', 'to', 'with'].includes(word))
    return null
  const same: Readonly<Record<string, readonly string[]>> = {
    '2fa': ['second', 'factor'],
    api: ['api', 'backend'],
    csp: ['content', 'security', 'policy'],
    email: ['email', 'mail'],
    emails: ['email', 'mail'],
    google: ['google', 'oauth'],
    hydration: ['hydration', 'hydrate'],
    jwt: ['token', 'verify'],
    login: ['login', 'sign'],
    logout: ['logout', 'signout', 'session'],
    mfa: ['second', 'factor'],
    nextjs: ['next'],
    reactjs: ['react'],
    signin: ['signin', 'sign'],
    sso: ['oauth'],
    ssr: ['ssr', 'rendering', 'server'],
  }
  return [...((Object.hasOwn(same, word) && same[word]) || [word]), word.replace(/(?<=\w{4})(?:ing|e?s)$/, '')]
}

/** Guides come before pages that have every word many times, and the head of a page before its sections. */
function rankOf(id: string, _term: string, stored?: object): number {
  // Stored by the search for each section.
  const { titles = [] } = (stored ?? {}) as { readonly titles?: readonly string[] }
  const ranks: Readonly<Record<string, number>> = { api: 0.3, 'coming-from': 0.5, errors: 0.5, pages: 0.2, sizes: 0.5 }
  const folder = Object.keys(ranks).find(name => id.replace(/#.*/, '').split('/').includes(name))
  return (ranks[folder ?? ''] ?? 1) * (titles.length === 0 ? 2 : 1)
}

export const search = {
  provider: 'local',
  options: {
    translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
    miniSearch: {
      searchOptions: { processTerm: wordsOf, boostDocument: rankOf, weights: { prefix: 0.6, fuzzy: 0.3 } },
    },
    // Pages for contributors would take the first places of what users look for; the start page only links.
    _render(text: string, env: { readonly relativePath: string }, md: { render(text: string, env: object): string }) {
      const html = md.render(text, Object.assign(env, { isForSearch: true }))
      return /^(contributing\/|index\.md)/.test(env.relativePath) ? '' : html
    },
  },
}
