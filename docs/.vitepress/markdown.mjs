// Markdown as GitHub reads it: the same anchors, nothing between braces or colons, and links to files of the repository.
import { linkOf } from './pages.mjs'

/** The anchor of a heading, as GitHub makes it: `verification_code_expired` keeps its underscores. */
export function slugify(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}

export function pagesOfGitHub(md) {
  md.core.ruler.push('links-of-repository', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'link_open') token.attrSet('href', linkOf(env.relativePath, token.attrGet('href')))
  })
}
