import { dirname, join, normalize, relative } from 'node:path'

/** The pages of the reference, in the order of its index, each with its entry or its files of the kit. */
export const topics = [
  {
    page: 'apps',
    title: 'Apps and kits',
    holds:
      /^src\/(kit(?!\/(current-user|verifier))|core|navigation)\/|^src\/store\/(kit|core)\.|transport\/environment/,
  },
  { page: 'oauth', title: 'Signing in with OAuth', holds: /^src\/sign-in\/oauth\// },
  {
    page: 'sign-in',
    title: 'Signing in',
    holds:
      /^src\/(sign-in\/(?!tokens|sign-out|redirect-to)|backend\/|extras\/sign-in-methods|entities\/password-limits)/,
  },
  { page: 'confirm', title: 'Confirming the user', holds: /extras\/confirm/ },
  { page: 'redirects', title: 'Redirects', holds: /^src\/sign-in\/redirect-to/ },
  {
    page: 'guards',
    title: 'Guards of routers',
    holds: /extras\/(decide|on-committed)/,
  },
  { page: 'bug-reports', title: 'Bug reports', holds: /extras\/record/ },
  { page: 'other-caches', title: 'Other caches', holds: /extras\/(follow-identity|owned-storage|person)/ },
  {
    page: 'sessions',
    title: 'Sessions and tokens',
    holds:
      /^src\/(session|sign-in)\/|entities\/(sessions\/|users\/auth)|transport\/access-token|store\/committed-session|extras\/(accounts|impersonation|last-known|limit-records|remember-session|session-limits)/,
  },
  { page: 'teams', title: 'Teams', holds: /entities\/team/ },
  { page: 'permissions', title: 'Permissions', holds: /permission/ },
  { page: 'api-keys', title: 'API keys', holds: /api-key/ },
  {
    page: 'users',
    title: 'Users',
    holds: /entities\/(users|contact-channels|notification-preferences|connected-accounts)\/|kit\/current-user/,
  },
  { page: 'projects', title: 'Projects', holds: /entities\/projects\// },
  { page: 'errors', title: 'Errors and results', holds: /^src\/errors\/|core\/result|entities\/mailed-code/ },
  { page: 'stores', title: 'Stores and writes', holds: /^src\/store\/|extras\/(until|live)/ },
  { page: 'requests', title: 'Requests and endpoints', holds: /^src\/transport\// },
  {
    page: 'server',
    title: 'Servers',
    holds: /^src\/(entities\/([\w-]+\/server|emails|email-outbox|webhooks)|verify\/)|kit\/verifier|extras\/changes/,
  },
  { page: 'admin-mails', title: 'Mails of a project', entry: 'rxauth/admin', holds: /email/ },
  {
    page: 'admin-config',
    title: 'The configuration of a project',
    entry: 'rxauth/admin',
    holds: /config|sign-up-rules/,
  },
  { page: 'admin', title: 'Administration', entry: 'rxauth/admin' },
  { page: 'react', title: 'React', entry: 'rxauth/react' },
  { page: 'next', title: 'Next.js', entry: 'rxauth/next' },
  { page: 'angular', title: 'Angular', entry: 'rxauth/angular' },
  { page: 'platform', title: 'The local platform', entry: 'rxauth/platform' },
  { page: 'platform-node', title: 'The local platform over HTTP', entry: 'rxauth/platform/node' },
  { page: 'playwright', title: 'Playwright', entry: 'rxauth/playwright' },
]

function topicOf(entry, file) {
  const own = topics.find(topic => topic.entry === entry && (topic.holds?.test(file) ?? true))
  // Results belong to the page of errors, wherever they are declared.
  const held = /core\/result/.test(file) ? /^errors$/ : undefined
  const found = own ?? topics.find(topic => !topic.entry && (held ? held.test(topic.page) : topic.holds?.test(file)))
  if (found) return found
  // An entity that no page above holds has its own.
  const [, entity] = /^src\/entities\/([\w-]+)\//.exec(file) ?? []
  if (entity) {
    const words = entity.replaceAll('-', ' ')
    const topic = {
      page: entity,
      title: `${words[0].toUpperCase()}${words.slice(1)}`,
      holds: new RegExp(`^src/entities/${entity}/`),
    }
    topics.push(topic)
    return topic
  }
  throw new Error(`reference-topics.mjs: ${file} of ${entry} has no topic`)
}

/**
 * The pages of all entries as pages by topic. `pages`: text by its old path (`rxauth/server.md`); `fileOf` tells where a name
 * of an entry is declared. Links lead to the new places.
 */
export function byTopic(pages, fileOf) {
  const sections = [...pages].flatMap(([path, text]) => sectionsOf(path, text, fileOf))
  const written = topics.map(topic => {
    const own = sections.filter(section => section.topic === topic)
    const entries = [...new Set(own.map(({ entry }) => entry))]
    const blocks = entries.map(entry => ({ entry, own: own.filter(section => section.entry === entry) }))
    return { topic, blocks }
  })
  // Anchors as GitHub makes them, page by page.
  for (const { topic, blocks } of written) {
    const seen = new Map()
    anchor(topic.title, seen)
    for (const { entry, own } of blocks) {
      anchor(`From ${entry}`, seen)
      for (const { headings } of own) for (const heading of headings) heading.anchor = anchor(heading.text, seen)
    }
  }
  const aims = new Map(
    sections.flatMap(({ path, topic, headings, text }) => [
      ...headings.map(({ old, anchor: now }) => [`${path}#${old}`, `${topic.page}.md#${now}`]),
      ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => [`${path}#${id}`, `${topic.page}.md#${id}`]),
    ]),
  )
  const relinked = ({ path, topic, text }) =>
    text.replace(/\]\(([^()\s#]*)#([^()\s]+)\)/g, (link, to, hash) => {
      if (/^[a-z]+:/.test(to)) return link
      const aim = aims.get(`${to === '' ? path : normalize(join(dirname(path), to))}#${hash}`)
      if (!aim) throw new Error(`reference-topics.mjs: ${path} links to ${to}#${hash}, which is in no topic`)
      const [page, now] = aim.split('#')
      return `](${page === `${topic.page}.md` ? '' : relative('.', page)}#${now})`
    })
  const texts = written.map(({ topic, blocks }) => {
    const body = blocks.map(
      ({ entry, own }) =>
        `## From \`${entry}\`\n\n${own.map(section => relinked(section).trim()).join('\n\n***\n\n')}\n`,
    )
    return [`${topic.page}.md`, `# ${topic.title}\n\n${body.join('\n')}`]
  })
  return { pages: new Map(texts), index: written.filter(({ blocks }) => blocks.length > 0).map(indexOf) }
}

/** A topic of the index: its names by entry, each with its link. */
function indexOf({ topic, blocks }) {
  const lists = blocks.map(({ entry, own }) => {
    const names = new Map(own.map(({ name, headings }) => [name, headings[0].anchor]).reverse())
    const links = [...names].reverse().map(([name, at]) => `[\`${name}\`](${topic.page}.md#${at})`)
    return `From \`${entry}\`: ${links.join(', ')}.`
  })
  return `## [${topic.title}](${topic.page}.md)\n\n${lists.join('\n\n')}\n`
}

/** The names of a page, each with its text and the headings in it. */
function sectionsOf(path, text, fileOf) {
  const entry = path.replace(/\.md$/, '')
  const seen = new Map()
  const sections = []
  let inFence = false
  let current
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) inFence = !inFence
    const [, marks, heading] = (!inFence && /^(#+) (.+)$/.exec(line)) || []
    const old = heading && anchor(heading, seen)
    // The next heading begins another kind of names: "## Functions".
    if (marks && marks.length < 3) current = undefined
    if (marks?.length === 3) {
      const name = heading.replace(/\\/g, '').replace(/[^\w$].*$/, '')
      current = { path, entry, name, lines: [], headings: [] }
      sections.push(current)
    }
    if (heading && current) current.headings.push({ text: heading, old })
    current?.lines.push(line)
  }
  return sections
    .filter(({ lines }) => !lines.some(line => line.startsWith('Re-exports ')))
    .map(({ lines, ...section }) => ({
      ...section,
      topic: topicOf(entry, fileOf(entry, section.name)),
      text: lines.join('\n').replace(/\n\*\*\*\s*$/, '\n'),
    }))
}

/** The anchor that GitHub gives a heading of this text, after those `seen` on its page. */
function anchor(text, seen) {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
  const before = seen.get(slug) ?? 0
  seen.set(slug, before + 1)
  return before === 0 ? slug : `${slug}-${before}`
}
