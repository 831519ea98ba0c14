import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './programs'

/** A code block of a page. */
export interface Pasted {
  readonly language: string
  /** The heading that it is under. */
  readonly heading: string
  /** The file that is named in its first line, in the words after its language, or in the line above it. */
  readonly file: string | undefined
  /** What follows the language in the fence. */
  readonly words: string
  readonly code: string
}

/** The code blocks of a page, in order. */
export function blocksOf(page: string): Pasted[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```(\w+)(.*)\n([^]*?)^```$/gm)].map(
    ({ index, 1: language = '', 2: words = '', 3: code = '' }) => {
      const before = text.slice(0, index)
      const heading = [...before.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? ''
      const file =
        / file:(\S+)/.exec(words)?.[1] ??
        /^\/\/ (\S+\.\w+)\n/.exec(code)?.[1] ??
        /^`([^`\s]+\.\w+)`.*\n\n$/m.exec(lastParagraph(before))?.[1]
      return { language, heading, file, words, code }
    },
  )
}

/** The only block that matches. */
export function blockOf(page: string, wanted: Partial<Pasted>): Pasted {
  const fitting = blocksOf(page).filter(block =>
    Object.entries(wanted).every(([name, value]) => block[name as keyof Pasted] === value),
  )
  const [block] = fitting
  if (block && fitting.length === 1) return block
  throw new Error(`${page} has ${fitting.length} blocks with ${JSON.stringify(wanted)}, where this script pastes one`)
}

/** The commands of a block, one per line. */
export function commandsOf({ code }: Pasted): string[] {
  return code.split('\n').filter(line => line !== '')
}

function lastParagraph(text: string): string {
  return text.slice(text.trimEnd().lastIndexOf('\n\n') + 2)
}
