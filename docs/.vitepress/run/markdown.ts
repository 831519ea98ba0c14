import { programsOf, runnablePages } from './programs'

/** The part of markdown-it's types that is used here. */
interface Token {
  readonly type: string
  readonly tag: string
  readonly content: string
  readonly children: readonly Token[] | null
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

/** For markdown-it: a button at each program; sections of the quick start become tabs. */
export function runnableBlocks(md: Markdown): void {
  md.core.ruler.push('runnable-blocks', state => {
    const page = state.env.relativePath ?? ''
    if (state.env.isForSearch || !runnablePages.some(each => each === page)) return
    const html = (content: string) => Object.assign(new state.Token('html_block', '', 0), { content })
    const waiting = programsOf(page, state.src)
    state.tokens = state.tokens.flatMap(token => {
      const at = token.type === 'fence' ? waiting.findIndex(({ shown }) => shown === token.content) : -1
      const [program] = at < 0 ? [] : waiting.splice(at, 1)
      if (!program) return [token]
      const { kind, name, heading } = program
      return [
        html(`<RunBlock kind="${kind}" program="${name}" heading="${md.utils.escapeHtml(heading)}">\n`),
        token,
        html('</RunBlock>\n'),
      ]
    })
    if (page === 'quick-start.md') state.tokens = tabbed(state.tokens, html, text => md.utils.escapeHtml(text))
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
