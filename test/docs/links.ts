import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './blocks'

/** The Markdown files in git of docs, with their folder. What the site is built from and into is not in git. */
export function pagesOfDocs(): string[] {
  const docs = join(root, 'docs')
  const below = (name: string) =>
    statSync(join(docs, name)).isDirectory()
      ? readdirSync(join(docs, name), { recursive: true, encoding: 'utf8' }).map(file => join(name, file))
      : [name]
  return readdirSync(docs)
    .filter(name => !['.vitepress', 'api', 'node_modules'].includes(name))
    .flatMap(below)
    .filter(file => file.endsWith('.md'))
    .map(file => join('docs', file))
    .sort()
}

/** One link of a page: its target and its line. */
export interface PageLink {
  readonly line: number
  readonly target: string
}

/** Every link and picture of a page, except those in code. */
export function linksIn(text: string): PageLink[] {
  const prose = withoutCode(text)
  const inline = prose.matchAll(/\]\(([^()\s]+(?:\([^()\s]*\))?)(?: "[^"]*")?\)/g)
  const references = prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm)
  return [...inline, ...references].map(({ index, 1: target = '' }) => ({
    line: prose.slice(0, index).split('\n').length,
    target,
  }))
}

/** The anchors of a page: those that GitHub and npm make of its headings, and those that it names itself. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const prose = withoutFences(text)
  const seen = new Map<string, number>()
  const headings = [...prose.matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(slug) ?? 0
    seen.set(slug, before + 1)
    return before === 0 ? slug : `${slug}-${before}`
  })
  const named = [...prose.matchAll(/<a (?:id|name)="([^"]+)">/g)].map(([, name = '']) => name)
  return new Set([...headings, ...named])
}

/** The text with blanks instead of code, so that line numbers stay the same. */
function withoutCode(text: string): string {
  return withoutFences(text).replace(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, code => code.replace(/[^\n]/g, ' '))
}

function withoutFences(text: string): string {
  return text.replace(/^(```+).*\n[^]*?^\1$/gm, code => code.replace(/[^\n]/g, ' '))
}
