import { existsSync, readFileSync } from 'node:fs'

/*
 * Code blocks of the guides: ```ts and ```tsx. A reader copies a block: it names what it imports and makes what it uses, or its
 * first line says what it goes on from. The tests and the site run the programs that are read here.
 *   // sign-in.ts            the name of the file that the block begins
 *   // continues sign-in.ts  goes on in that file, with everything declared there
 * Words after the language, which readers do not see:
 *   no-run      type-checked only, because it needs a page, a server or an account
 *   file:a/b.ts is that file of an app, which the text names; other blocks of the page import it by its path. `rxauth init`
 *               writes these files of a guide, of any language, except those with:
 *   extra       a file that the app does without
 *   own         the framework's tool writes it too, and `rxauth init` only where it is missing
 *   else:c.html is the path where the app has another file of the first one
 *   when:name    a file that only apps with this setting of the framework need
 *   instead:c.ts stands in for a file of the page where the app has another one of that path
 *   runs        a file that runs by itself, as a block without a name does
 *   together    is a program of its own, which runs together with the block before it: a page and its backend
 *   renders     exports a component `Page`, which test/docs/rendered.test.tsx shows and uses
 * A comment on lines of its own holds what only the tests and the site run. A block compiles without it.
 *   <!-- set-up  before the next block: the platform that answers, with `serve` of world.ts, a mail that arrives
 *   <!-- check   after the block before it: what proves the recipe and is no part of it
 * Longer ones stand beside the page, in `page.checks.ts`, and the comment names its part: <!-- check on-each-server -->
 *   // check on-each-server   begins the part, which ends at the next such line
 * `// → text` is expected output: of the console.log on its line, of the expression on its line, or of what came before.
 */

/** One program: a block and those that continue it. */
export interface Example {
  /** `docs/writes.md:12`, the line of its first block. */
  readonly name: string
  readonly code: string
  /** The parts of it that readers see, each a program of its own. */
  readonly shown: readonly string[]
  readonly extension: 'ts' | 'tsx'
  readonly runs: boolean
  /** The heading above it, if it exports a page. */
  readonly renders?: string
  /** Its path in the app of the page: `src/auth.ts`. */
  readonly file?: string
  readonly parts: readonly Part[]
}

/** A block of a program, with what readers do not see. */
export interface Part {
  readonly line: number
  readonly setUp: string
  readonly shown: string
  readonly check: string
}

type Group = 'use' | 'part' | 'hidden' | 'language' | 'words' | 'code'

const blockForm =
  /^<!-- (?<use>set-up|check)(?: (?<part>[\w-]+) |\n(?<hidden>[^]*?)^)-->$|^```(?<language>tsx?)\b(?<words>.*)\n(?<code>[^]*?)^```$/gm

/** The file beside a page with the longer parts that readers do not see; empty: it has none. */
export function checksBeside(page: string): string {
  const path = page.replace(/\.md$/, '.checks.ts')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** The programs of a page; `checks` is the file beside it. */
export function readExamples(file: string, text: string, checks: string): Example[] {
  const parts = new Map(
    [...checks.matchAll(/^\/\/ ((?:set-up|check) [\w-]+)\n([^]*?)(?=^\/\/ (?:set-up|check) |(?![^]))/gm)].map(
      ([, name, code]) => [name, code!.replace(/\n+$/, '\n')],
    ),
  )
  const examples: Example[] = []
  let setUp = ''
  let last: Example | undefined
  /** Puts it in the place of one that it extends. */
  const extend = (at: number, changes: Partial<Example>) => {
    last = { ...examples[at]!, ...changes }
    examples.splice(at, 1, last)
  }
  for (const { index, groups } of text.matchAll(blockForm)) {
    const { use, part: name, language, words, code: shown, ...written } = groups as Record<Group, string>
    const hidden = name === undefined ? written.hidden : parts.get(`${use} ${name}`)
    if (use && hidden === undefined) throw new Error(`${file}: there is no part "${use} ${name}" beside the page`)
    parts.delete(`${use} ${name}`)
    const previous = examples.at(-1)
    if (use === 'set-up') setUp += hidden!
    if (use === 'check') {
      if (!previous) throw new Error(`${file}: there is no block before the first check`)
      // After a block that goes on in another file than the last one, it belongs to that file.
      const { code, parts } = last ?? previous
      const part = parts.at(-1)!
      extend(examples.indexOf(last ?? previous), {
        code: code + hidden!,
        parts: [...parts.slice(0, -1), { ...part, check: part.check + hidden! }],
      })
    }
    if (use) continue
    const code = setUp + shown
    const known = ['', 'no-run', 'runs', 'renders', 'together', 'own', 'extra']
    const place = / file:(\S+)/.exec(words)?.[1] ?? /^\/\/ ([\w./-]+\.tsx?)\n/.exec(shown)?.[1]
    const unknown = words.split(' ').filter(word => !known.includes(word) && !/^(file|instead|when):/.test(word))
    const line = text.slice(0, index).split('\n').length
    const part: Part = { line, setUp, shown, check: '' }
    setUp = ''
    if (unknown.length > 0)
      throw new Error(`${file}:${line}: a code block is "${known.join('", "')}", not "${unknown.join(' ')}"`)
    const runs = / runs\b/.test(words) || !/no-run|renders|file:/.test(words)
    const [, begun] = /^\/\/ continues (\S+)\n/.exec(shown) ?? []
    if (words.includes('together') && previous) {
      extend(examples.length - 1, {
        code: previous.code + code,
        shown: [...previous.shown, shown],
        parts: [...previous.parts, part],
      })
    } else if (begun === undefined) {
      const heading = /.*^#+ +(.*?)$/ms.exec(text.slice(0, index))?.[1] ?? ''
      last = {
        name: `${file}:${line}`,
        code,
        shown: [shown],
        extension: language as 'ts',
        runs,
        ...(words.includes('renders') && { renders: heading }),
        ...(place && { file: place }),
        parts: [part],
      }
      examples.push(last)
    } else {
      const at = examples.findIndex(example => example.file === begun)
      const first = examples[at]
      if (!first) throw new Error(`${file}:${line}: there is no block "${begun}" to continue`)
      extend(at, {
        code: first.code + code,
        shown: [...first.shown.slice(0, -1), first.shown.at(-1)! + shown],
        runs: first.runs && runs,
        parts: [...first.parts, part],
      })
    }
  }
  if (/^.*\S.*<!-- (?:set-up|check)$/m.test(text)) throw new Error(`${file}: text stands before a comment of the tests`)
  if (setUp) throw new Error(`${file}: there is no block after the last set-up`)
  if (parts.size > 0) throw new Error(`${file}: the page names no part "${[...parts.keys()].join('", "')}"`)
  return examples
}
