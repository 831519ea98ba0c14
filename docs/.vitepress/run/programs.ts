import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { checksBeside, readExamples } from './examples'
import type { Example } from './examples'
import { newApps } from './new-apps'
import { fragmentOf, importsOf, needOf } from './reasons'

/** Where it runs: a worker runs what prints, a frame what has a page. */
export type Program = Printing | App

interface Common {
  readonly name: string
  /** `guides/vue.md`. */
  readonly page: string
  /** The heading above it, with a number where the section has several. */
  readonly heading: string
}

/** A block that prints, with the blocks that it continues, and what the tests run with them. */
export interface Printing extends Common {
  readonly kind: 'worker'
  readonly code: string
  readonly extension: 'ts' | 'tsx'
  /** Whether it is more than its block. */
  readonly isMore: boolean
}

/** The files of an app, by their path. */
export interface App extends Common {
  readonly kind: 'frame'
  readonly framework: Framework
  readonly files: Readonly<Record<string, string>>
  /** What loads them, and the body of their page. */
  readonly main: string
  readonly body: string
}

export type Framework = 'angular' | 'react' | 'solid' | 'svelte' | 'typescript' | 'vue'

/** A code block of a page, with its program, or with the reason why it has none. */
export interface Block {
  readonly language: string
  readonly words: string
  readonly heading: string
  readonly file: string | undefined
  readonly code: string
  readonly line: number
  readonly program?: Program
  readonly reason?: string
}

/** The hand-written pages for users. */
export function isRunnable(page: string): boolean {
  return /^(?:(?:guides|coming-from)\/)?[\w.-]+\.md$/.test(page)
}

/** The programs of the site. */
export function allPrograms(docs: string): Program[] {
  const pages = ['', 'guides', 'coming-from'].flatMap(folder =>
    readdirSync(join(docs, folder)).map(file => posix.join(folder, file)),
  )
  return pages
    .filter(isRunnable)
    .flatMap(page => blocksOf(docs, page))
    .flatMap(({ program }) => program ?? [])
}

/** The code blocks of a page, each with its program, by the rules of examples.ts, or with a reason. */
export function blocksOf(docs: string, page: string, text = readFileSync(join(docs, page), 'utf8')): Block[] {
  const blocks = readBlocks(page, text)
  const examples = readExamples(page, text, checksBeside(join(docs, page)))
  const counts = new Map<string, number>()
  const named = (heading: string): Common => {
    const name = `${page.replace(/\.md$/, '')}-${heading.toLowerCase()}`.replace(/\W+/g, '-').replace(/-$/, '')
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? { name, page, heading } : { name: `${name}-${count}`, page, heading: `${heading} (${count})` }
  }
  const apps = page === 'quick-start.md' ? appsOfSections(blocks) : appOfGuide(blocks)
  const filesOfApp = blocks.filter(({ words }) => page.startsWith('guides/') && / file:/.test(words))
  const server = needOf(filesOfApp.map(({ code }) => code).join(''))
  return blocks
    .filter(({ language }) => /^(?:[tj]sx?|vue|svelte)$/.test(language))
    .map(block => {
      const app = apps.find(({ parts }) => parts.includes(block))
      if (app && app.parts.at(-1) !== block) return { ...block, reason: 'is part of the app that runs below' }
      if (app) return { ...block, program: { ...named(block.heading), ...app.made } }
      const example = examples.find(({ parts }) => parts.some(({ line }) => line === block.line))
      const fate = example ? fateOf(example, block) : undefined
      if (fate && typeof fate === 'object') return { ...block, program: { ...named(block.heading), ...fate } }
      const own = needOf(block.code)
      const ofApp = filesOfApp.includes(block) ? (server ?? (apps[0] && 'is not needed to run the app')) : undefined
      return { ...block, reason: own ?? fate ?? ofApp ?? fragmentOf(block.code, block.language) }
    })
}

type Made = Omit<App, keyof Common> | Omit<Printing, keyof Common>

/** The program that a block ends, or what it needs; undefined: the tests do not run it. */
function fateOf(example: Example, { line, code }: Block): Made | string | undefined {
  const { extension, parts, renders, runs } = example
  if (renders !== undefined) {
    const files = { 'src/App.tsx': `${code}\nexport default Page\n` }
    return { kind: 'frame', framework: 'react', files, ...newApps.react }
  }
  const before = parts.slice(0, parts.findIndex(part => part.line === line) + 1)
  const all = before.flatMap(({ setUp, shown, check }) => [setUp + shown, check])
  const { kept, missing } = withoutNode(all)
  // The check of the block itself may be left out.
  if (!runs || missing.includes(all.at(-2)!)) {
    const visible = before.map(({ shown }) => shown).join('')
    return needOf(visible) ?? (runs ? (/ 'node:/.test(code) ? 'needs Node' : 'needs your backend') : undefined)
  }
  const whole = kept.join('')
  return { kind: 'worker', code: whole, extension, isMore: whole !== code }
}

/** Leaves out the texts that need what a page does not have, and those that use what these declare. */
function withoutNode(texts: readonly string[]): { readonly kept: string[]; readonly missing: string[] } {
  const kept: string[] = []
  const missing: string[] = []
  const names = new Set<string>()
  for (const text of texts) {
    const isMissing = needOf(text) !== undefined || [...text.matchAll(/\w+/g)].some(([word]) => names.has(word))
    if (isMissing) for (const name of declaredIn(text)) names.add(name)
    ;(isMissing ? missing : kept).push(text)
  }
  return { kept, missing }
}

function declaredIn(text: string): string[] {
  const declared = [...text.matchAll(/^(?:export )?(?:const|let|(?:async )?function|class) (?:\{([^}]*)\}|(\w+))/gm)]
  const imported = [...text.matchAll(/^import (?!type)(?:\{([^}]*)\}|(\w+))/gm)]
  return [...declared, ...imported].flatMap(([, several, one]) => one ?? several?.match(/\w+/g) ?? [])
}

interface AppOfBlocks {
  readonly parts: readonly Block[]
  readonly made: Omit<App, keyof Common>
}

/** In each section of the quick start the files of a new app. */
function appsOfSections(blocks: readonly Block[]): AppOfBlocks[] {
  return [...new Set(blocks.map(({ heading }) => heading))].flatMap(heading => {
    const parts = blocks.filter(block => block.heading === heading && block.file?.startsWith('src/'))
    if (parts.length === 0) return []
    const framework = frameworkOf(parts)
    return [{ parts, made: { kind: 'frame', framework, files: filesOf(parts), ...newApps[framework] } }]
  })
}

/** The app of a guide that has its HTML: no server makes it. The parts are those that its first file loads. */
function appOfGuide(blocks: readonly Block[]): AppOfBlocks[] {
  const html = blocks.find(({ language, file }) => language === 'html' && file?.endsWith('index.html'))?.code
  if (html === undefined) return []
  const all = blocks.filter(({ language, words }) => language !== 'html' && !/ (?:instead|when):/.test(words))
  const files = filesOf(all)
  const start = /<script type="module" src="\/([^"]+)"/.exec(html)?.[1] ?? 'src/main.ts'
  const reached = new Set<string>()
  const reach = (path: string) => {
    if (reached.has(path)) return
    reached.add(path)
    for (const name of importsOf(files[path]!).filter(each => each.startsWith('.'))) {
      const found = fileAt(files, posix.join(posix.dirname(path), name))
      if (found !== undefined) reach(found)
    }
  }
  reach(start)
  const parts = all.filter(({ file }) => file !== undefined && reached.has(file))
  const body =
    /<body>([^]*)<\/body>/
      .exec(html)?.[1]
      ?.replace(/<script[^]*<\/script>/, '')
      .trim() ?? ''
  const framework = frameworkOf(parts)
  const main = `${framework === 'angular' ? "import '@angular/compiler'\n" : ''}await import('./${start}')`
  return [{ parts, made: { kind: 'frame', framework, files, main, body } }]
}

/** The path that an import means. */
export function fileAt(files: Readonly<Record<string, string>>, aim: string): string | undefined {
  return ['', '.ts', '.tsx'].map(ending => aim + ending).find(path => path in files)
}

function filesOf(parts: readonly Block[]): Record<string, string> {
  return Object.fromEntries(parts.flatMap(({ file, code }) => (file === undefined ? [] : [[file, code]])))
}

/** The blocks, each with the file that is named in the words after its language, or in the paragraph above. */
function readBlocks(page: string, text: string): Block[] {
  return [...text.matchAll(/^```(\w+)(.*)\n([^]*?)^```$/gm)].map(
    ({ index, 1: language = '', 2: words = '', 3: code = '' }) => {
      const before = text.slice(0, index)
      const headings = page === 'index.md' ? /^##+ (.*)$/gm : /^#+ (.*)$/gm
      const [, title = 'Example'] = [...before.matchAll(headings)].at(-1) ?? []
      const paragraph = before.slice(before.trimEnd().lastIndexOf('\n\n') + 2)
      const file = / file:(\S+)/.exec(words)?.[1] ?? /^`([^`\s]+\.\w+)`.*\n\n$/m.exec(paragraph)?.[1]
      const heading = title.replace(/`|\[|\]\([^)]*\)/g, '')
      return { language, words, heading, file, code, line: before.split('\n').length }
    },
  )
}

function frameworkOf(files: readonly Block[]): Framework {
  const ending = /\.(vue|svelte)$/.exec(
    files.map(({ file }) => file).find(file => /(?:vue|svelte)$/.test(file ?? '')) ?? '',
  )
  if (ending) return ending[1] as 'vue'
  const imported = (name: string) => files.some(({ code }) => code.includes(`from '${name}`))
  if (imported('@angular/')) return 'angular'
  if (imported('solid-js')) return 'solid'
  return imported('rxauth/react') ? 'react' : 'typescript'
}
