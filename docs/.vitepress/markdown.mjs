// Markdown as GitHub reads it: the same anchors and links. Code blocks show the names that run/examples.ts reads.
import { linkOf } from './pages.mjs'

/** The anchor of a heading, as GitHub makes it: `verification_code_expired` keeps its underscores. */
export function slugify(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** A plugin of markdown-it. */
export function pagesOfGitHub(md) {
  // `:)` and `:8102:` are text.
  md.core.ruler.disable('emoji')
  md.core.ruler.push('pages-of-github', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'link_open') token.attrSet('href', linkOf(env.relativePath, token.attrGet('href')))
    // What only the tests run is no text of the page, nor of the search.
    for (const token of tokens) if (token.type === 'html_block') token.content = withoutComments(token.content)
    nameBlocks(tokens.filter(({ type }) => type === 'fence'))
  })

  // Braces are text, where Vue would take them for an expression of its own.
  const { renderer } = md
  const render = renderer.render.bind(renderer)
  renderer.render = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')

  const fence = renderer.rules.fence
  renderer.rules.fence = (tokens, index, options, env, self) => {
    const { content, meta } = tokens[index]
    // The search has the words of the program, without colours and buttons.
    if (env.isForSearch) return `<pre>${md.utils.escapeHtml(content)}</pre>`
    const block = fence(tokens, index, options, env, self)
    return meta?.program ? named(md.utils.escapeHtml, meta.program, block) : block
  }
}

function withoutComments(html) {
  return html.replace(/<!--[^]*?-->/g, '')
}

/** Gives each block the program that it is part of, and takes its name and the words of the tests out of it. */
function nameBlocks(fences) {
  const programs = new Map()
  for (const fence of fences) {
    const [language, ...words] = fence.info.split(' ')
    const given = words.find(word => word.startsWith('file:'))?.slice('file:'.length)
    const [line, continues, written] = /^\/\/ (continues )?([\w./+-]+\.\w+)\n/.exec(fence.content) ?? []
    const name = given ?? written
    fence.info = language
    if (name === undefined) continue
    if (!given) fence.content = fence.content.slice(line.length)
    if (!continues) programs.set(name, { name, id: `file-${programs.size}-${slugify(name)}`, blocks: 0 })
    const program = programs.get(name)
    if (!program) throw new Error(`there is no block "${name}" to continue`)
    program.blocks += 1
    fence.meta = { program: { whole: program, isFirst: !continues } }
  }
}

function named(escape, { whole, isFirst }, block) {
  const name = `<code>${escape(whole.name)}</code>`
  const title = isFirst ? name : `continues <a href="#${whole.id}">${name}</a>`
  const button =
    whole.blocks > 1
      ? `<button type="button" class="copy-program">Copy all ${whole.blocks} blocks of ${escape(whole.name)}</button>`
      : ''
  const id = isFirst ? ` id="${whole.id}"` : ''
  return `<div class="named-block" data-program="${whole.id}"${id}><p class="block-name"><span>${title}</span>${button}</p>${block}</div>`
}
