// What the site takes from the pages themselves: the list of pages, and where their links lead.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const docs = fileURLToPath(new URL('../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(docs, '../package.json'), 'utf8'))

export const { homepage } = manifest
export const repository = manifest.repository.url.replace(/^git\+(.*)\.git$/, '$1')

/** Pages that the site has at another path than git. */
export const pageAt = { 'README.md': 'pages.md', 'api/README.md': 'api/index.md' }

const read = path => (existsSync(join(docs, path)) ? readFileSync(join(docs, path), 'utf8') : '')

/** The groups of docs/README.md, which is GitHub's list of pages: the heading of each, and its text. */
function groups() {
  const parts = read('README.md').split(/^## /m).slice(1)
  return parts.map(part => ({ name: part.slice(0, part.indexOf('\n')), text: part.slice(part.indexOf('\n')) }))
}

/** The topics of the reference, where `npm run api-docs` has written it for the site. */
const topics = () => [...read('api/README.md').matchAll(/^## \[(.+)\]\((.+)\)$/gm)]

/** The list of pages for llms.txt, with what each is about. */
export function contents() {
  const users = groups().filter(({ name }) => name !== contributors)
  const reference = topics().map(([, name, page]) => `- [${name}](api/${page})\n`)
  return [...users.map(({ name, text }) => `### ${name}\n${text}`), `### ${byTopic}\n\n`, ...reference].join('')
}

const contributors = 'For contributors'
const byTopic = 'Reference by topic'

/** The same list as sidebar; the reference has its own. */
export function sidebar() {
  const lists = groups().map(({ name, text }) => ({
    text: name,
    ...(name === contributors && { collapsed: true }),
    items: [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title, target]) => {
      const link = linkOf('README.md', target)
      return { text: title.replaceAll('`', ''), link: link.startsWith('http') ? link : `/${link}` }
    }),
  }))
  const reference = topics().map(([, text, page]) => ({ text, link: `/api/${page}` }))
  return { '/': lists, '/api/': [{ text: byTopic, items: [{ text: 'All names', link: '/api/' }, ...reference] }] }
}

/** A link of a page as the site has it: what is no page of the site is a file of the repository. */
export function linkOf(page, target) {
  if (target.startsWith(homepage)) return target.slice(homepage.length - 1)
  if (/^[a-z]+:|^[#/]/.test(target)) return target
  const [path, hash = ''] = target.split(/(?=#)/)
  const file = normalize(join(dirname(page), path))
  if (file.startsWith('..')) return `${repository}/blob/main/${file.slice(3)}${hash}`
  return pageAt[file] ? `/${pageAt[file]}${hash}` : target
}
