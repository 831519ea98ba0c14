import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The pages whose blocks run in the page. */
export const runnablePages = ['index.md', 'quick-start.md'] as const

/** Where it runs: a worker runs what prints, a frame what has a page. */
export type Program = Printing | App

interface Common {
  readonly name: string
  /** The heading above it. */
  readonly heading: string
  /** The last block of it, which the page shows with a button. */
  readonly shown: string
}

/** A block that prints. */
export interface Printing extends Common {
  readonly kind: 'worker'
  readonly code: string
}

/** The files of a section, by their path. */
export interface App extends Common {
  readonly kind: 'frame'
  readonly framework: Framework
  readonly files: Readonly<Record<string, string>>
}

export type Framework = 'angular' | 'react' | 'solid' | 'svelte' | 'typescript' | 'vue'

interface Block {
  readonly language: string
  readonly words: string
  readonly heading: string
  readonly file: string | undefined
  readonly code: string
}

/** The programs of a page, by the same rules as those of test/docs/blocks.ts: `no-run` keeps a block out. */
export function programsOf(page: string, text: string): Program[] {
  const blocks = blocksOf(text)
  const name = (heading: string) => `${page.replace(/\.md$/, '')}-${heading.toLowerCase().replace(/\W+/g, '-')}`
  return [...new Set(blocks.map(({ heading }) => heading))].flatMap((heading): Program[] => {
    const section = blocks.filter(block => block.heading === heading)
    const files = section.filter(({ file }) => file?.startsWith('src/'))
    const last = files.at(-1)
    const app = last && {
      ...{ kind: 'frame' as const, name: name(heading), heading, shown: last.code, framework: frameworkOf(files) },
      files: Object.fromEntries(files.map(({ file, code }) => [file!, code])),
    }
    const printing = section
      .filter(({ language, words, file }) => language === 'ts' && !words && !file?.startsWith('src/'))
      .map(({ code }, index) => ({
        ...{ kind: 'worker' as const, name: name(heading) + (index ? `-${index + 1}` : ''), heading, shown: code },
        code,
      }))
    return app ? [app, ...printing] : printing
  })
}

/** The programs of the site. */
export function allPrograms(docs: string): Program[] {
  return runnablePages.flatMap(page => programsOf(page, readFileSync(join(docs, page), 'utf8')))
}

/** The blocks, each with the file that is named in the words after its language, or in the paragraph above. */
function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)(.*)\n([^]*?)^```$/gm)].map(
    ({ index, 1: language = '', 2: words = '', 3: code = '' }) => {
      const before = text.slice(0, index)
      const heading = [...before.matchAll(/^##+ (.*)$/gm)].at(-1)?.[1] ?? 'Example'
      const paragraph = before.slice(before.trimEnd().lastIndexOf('\n\n') + 2)
      const file = / file:(\S+)/.exec(words)?.[1] ?? /^`([^`\s]+\.\w+)`.*\n\n$/m.exec(paragraph)?.[1]
      return { language, words, heading, file, code }
    },
  )
}

function frameworkOf(files: readonly Block[]): Framework {
  const { language } = files.at(-1)!
  if (language === 'vue' || language === 'svelte') return language
  const imported = (name: string) => files.some(({ code }) => code.includes(`from '${name}`))
  if (imported('@angular/')) return 'angular'
  if (imported('solid-js')) return 'solid'
  return imported('rxauth/react') ? 'react' : 'typescript'
}
