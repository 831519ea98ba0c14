// What the site takes from the pages themselves: the list of pages, and where their links lead.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const docs = fileURLToPath(new URL('../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(docs, '../package.json'), 'utf8'))

export const repository = manifest.repository.url.replace(/^git\+(.*)\.git$/, '$1')

/** Pages that the site has at another path than git. */
export const pageAt = { 'README.md': 'pages.md', 'api/README.md': 'api/index.md' }

/** The groups of docs/README.md, which is GitHub's list of pages: the heading of each, and its pages. */
export function groupsOf(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map(group => ({ text: group.slice(0, group.indexOf('\n')), items: linksIn(group) }))
}

function linksIn(text) {
  return [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name, target]) => ({
    text: name.replaceAll('`', ''),
    link: linkOf('README.md', target),
  }))
}

/** The sidebar: these groups, and the reference by topic where it has been written. */
export function sidebar() {
  const groups = groupsOf(readFileSync(join(docs, 'README.md'), 'utf8')).map(({ text, items }) => ({
    text,
    items: items.map(({ text, link }) => ({ text, link: link.startsWith('http') ? link : `/${link}` })),
    collapsed: text === 'For contributors',
  }))
  const index = join(docs, 'api/README.md')
  const topics = existsSync(index) ? [...readFileSync(index, 'utf8').matchAll(/^## \[(.+)\]\((.+)\)$/gm)] : []
  return [
    ...groups,
    {
      text: 'Reference by topic',
      collapsed: true,
      items: [
        { text: 'All names', link: '/api/' },
        ...topics.map(([, text, page]) => ({ text, link: `/api/${page}` })),
      ],
    },
  ]
}

/** A link of a page as the site has it: what is no page of the site is a file of the repository. */
export function linkOf(page, target) {
  if (/^[a-z]+:|^[#/]/.test(target)) return target
  const [path, hash = ''] = target.split(/(?=#)/)
  const file = normalize(join(dirname(page), path))
  if (file.startsWith('..')) return `${repository}/blob/main/${file.slice(3)}${hash}`
  return pageAt[file] ? `/${pageAt[file]}${hash}` : target
}
