import MiniSearch from 'minisearch'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

interface DocsSection {
  readonly id: string
  readonly path: string
  readonly title: string
  /** The headings above it. */
  readonly titles: readonly string[]
  readonly text: string
}

interface FoundPart {
  /** The path in the package. */
  readonly page: string
  readonly heading: string
  readonly text: string
}

/** How a word is looked up. A page of the site gets the text of this function, so it uses nothing outside of itself. */
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

/** How the site, and the tool for agents, look up words. */
export const searchOptions = {
  processTerm: wordsOf,
  boostDocument: rankOf,
  /** Every page is about rxauth, and few have the name in their title. */
  boostTerm: (word: string) => (word === 'rxauth' ? 0.1 : 1),
  weights: { prefix: 0.6, fuzzy: 0.3 },
}

/** Pages for contributors would take the first places of what users look for; lists of pages only link. */
const leftOut = /^docs\/(?:\.vitepress|api|contributing|node_modules)\/|^docs\/(?:README|index)\.md$/

/**
 * A function that finds pages in the folder of the package, the best first, each with the part that fits best. The pages are read at
 * its first call.
 */
export function docsSearch(folder: string): (words: string) => FoundPart[] {
  let index: MiniSearch<DocsSection> | undefined
  return words => {
    index ??= indexOf(folder)
    const parts = new Map<string, FoundPart>()
    for (const { id, title, text } of index.search(words) as unknown as DocsSection[]) {
      const page = id.replace(/#.*/, '')
      if (!parts.has(page)) parts.set(page, { page, heading: title, text })
    }
    return [...parts.values()]
  }
}

function indexOf(folder: string): MiniSearch<DocsSection> {
  const index = new MiniSearch<DocsSection>({
    fields: ['path', 'title', 'titles', 'text'],
    storeFields: ['title', 'titles', 'text'],
    processTerm: wordsOf,
    searchOptions: { ...searchOptions, boost: { path: 2, title: 4, titles: 1 } },
  })
  const docs = readdirSync(join(folder, 'docs'), { recursive: true, encoding: 'utf8' }).sort()
  const pages = ['AGENTS.md', 'README.md', ...docs.map(path => `docs/${path.split(sep).join('/')}`)]
  for (const page of pages)
    if (page.endsWith('.md') && !leftOut.test(page))
      index.addAll(sectionsOf(page, readFileSync(join(folder, page), 'utf8')))
  return index
}

function sectionsOf(page: string, whole: string): DocsSection[] {
  const text = whole.replace(/<!--[^]*?-->/g, '')
  const [, head = ''] = /^# (.*)/m.exec(text) ?? []
  return text.split(/^(?=##+ )/m).map((part, index) => {
    const [, title = head] = /^##+ (.*)/.exec(part) ?? []
    const titles = index === 0 ? [] : [head]
    return { id: `${page}#${index}`, path: page.replace(/\W/g, ' '), title, titles, text: part }
  })
}
