import { fileURLToPath } from 'node:url'
import { blocksOf, isRunnable } from './programs'

const docs = fileURLToPath(new URL('../..', import.meta.url))

/** The part of markdown-it's types that is used here. */
interface Token {
  readonly type: string
  readonly tag: string
  readonly content: string
  readonly children: readonly Token[] | null
  /** Its first line, from 0. */
  readonly map: readonly [number, number] | null
  attrGet(name: string): string | null
}

interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } }
  readonly utils: { escapeHtml(text: string): string }
}

interface State {
  readonly src: string
  tokens: Token[]
  readonly env: { readonly relativePath?: string; readonly isForSearch?: boolean }
  readonly Token: new (type: string, tag: string, nesting: number) => Token & { content: string }
}

/** For markdown-it: a button at each program, the reason at each other block; sections of the quick start become tabs. */
export function runnableBlocks(md: Markdown): void {
  const escape = (text: string) => md.utils.escapeHtml(text)
  md.core.ruler.push('runnable-blocks', state => {
    const page = state.env.relativePath ?? ''
    if (state.env.isForSearch || !isRunnable(page)) return
    const html = (content: string) => Object.assign(new state.Token('html_block', '', 0), { content })
    const blocks = new Map(blocksOf(docs, page, state.src).map(block => [block.line, block]))
    state.tokens = state.tokens.flatMap(token => {
      const block = token.type === 'fence' ? blocks.get((token.map?.[0] ?? 0) + 1) : undefined
      if (!block) return [token]
      const { program, reason = '' } = block
      if (!program)
        return [token, html(`<p class="run-reason">Not run in this page: the block ${escape(reason)}.</p>\n`)]
      const { kind, name, heading } = program
      return [
        // Not in a slot: what is static is in the page alone, not in its script too.
        html('<div class="run-block">\n'),
        token,
        html(`<RunBlock kind="${kind}" program="${name}" heading="${escape(heading)}" />\n</div>\n`),
      ]
    })
    if (page === 'quick-start.md') state.tokens = tabbed(state.tokens, html, escape)
  })
}

/** Each part that begins with a heading of the second level is a tab. */
function tabbed(tokens: readonly Token[], html: (content: string) => Token, escape: (text: string) => string): Token[] {
  const starts = tokens.flatMap(({ type, tag }, index) => (type === 'heading_open' && tag === 'h2' ? [index] : []))
  const tabs = starts.map(start => {
    const { children } = tokens[start + 1]!
    const words = children?.filter(({ type }) => type === 'text' || type === 'code_inline') ?? []
    return {
      id: tokens[start]!.attrGet('id') ?? '',
      text: words
        .map(({ content }) => content)
        .join('')
        .trim(),
    }
  })
  return [
    ...tokens.slice(0, starts[0]),
    html(`<RunTabs :tabs="${escape(JSON.stringify(tabs))}">\n`),
    ...starts.flatMap((start, index) => [
      html(`<RunTab id="${tabs[index]!.id}">\n`),
      ...tokens.slice(start, starts[index + 1]),
      html('</RunTab>\n'),
    ]),
    html('</RunTabs>\n'),
  ]
}
