import { existsSync, readFileSync } from 'node:fs'
import { join, normalize, isAbsolute } from 'node:path'
import { packageFolder } from '../user-app/place'

/** A file of an app, as a page of the documentation shows it. */
export interface GuideFile {
  /** Relative to the folder of the app. */
  readonly path: string
  readonly text: string
  /** The path where another file has this one's place. */
  readonly otherPath?: string
  /** Written only where the app has another file at this path. */
  readonly insteadOf?: string
  /** Written only where the configuration of the framework switches this on. */
  readonly when?: string
  /** Whether the framework's own tool writes this file: what it wrote is as good. */
  readonly isOwn: boolean
}

/** The parts of an app, as a guide has them. */
export interface Guide {
  readonly files: readonly GuideFile[]
  /** The command that starts the app, without `npx`; undefined where the guide leaves it to the app's own script. */
  readonly command: string | undefined
  readonly packages: readonly string[]
  readonly devPackages: readonly string[]
}

const folderOfPages = () => join(packageFolder(), 'docs')

/** Reads a guide by its name. */
export function readGuide(name: string, pages = folderOfPages()): Guide {
  const text = readPage(`guides/${name}.md`, pages)
  const shell = (part: string) =>
    [...part.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, code = '']) => code.split('\n'))
  // Later ones are for what the app does without.
  const lines = shell(text.slice(0, text.search(/^```\w+ .*file:/m)))
  const installed = (isDev: boolean) =>
    lines.flatMap(line => {
      const [, dev, names] = /^npm install (--save-dev )?(.+)$/.exec(line) ?? []
      return names !== undefined && (dev !== undefined) === isDev ? names.split(' ') : []
    })
  const [command] = shell(text).flatMap(line => /^npx rxauth dev -- (?:npx )?(.+)$/.exec(line)?.slice(1) ?? [])
  const packages = [...new Set([...installed(false), 'rxauth', 'rxjs'])]
  return { files: filesOf(text), command, packages, devPackages: installed(true) }
}

/** A file of the page about tests. */
export function readTestFile(path: string, pages = folderOfPages()): GuideFile {
  const file = filesOf(readPage('testing.md', pages)).find(each => each.path === path)
  if (!file) throw new Error(`docs/testing.md has no file ${path}`)
  return file
}

function readPage(path: string, pages: string): string {
  const file = join(pages, path)
  if (!existsSync(file)) throw new Error(`the package of rxauth has no docs/${path}: install it anew`)
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
}

/**
 * The blocks whose words say `file:path`; `else:path` is the other path, `instead:path` the file that this one stands in for,
 * `when:name` a setting of the framework that needs it, `own` the framework's, `extra` no part of the app.
 */
function filesOf(page: string): GuideFile[] {
  return [...page.matchAll(/^```\w+ (.*)\n([^]*?)^```$/gm)].flatMap(([, flags = '', text = '']) => {
    const words = flags.split(' ')
    const pathOf = (flag: string) => words.flatMap(word => (word.startsWith(flag) ? [word.slice(flag.length)] : []))[0]
    const [path, otherPath, insteadOf] = [pathOf('file:'), pathOf('else:'), pathOf('instead:')]
    const when = pathOf('when:')
    if (path === undefined || words.includes('extra')) return []
    for (const each of [path, otherPath, insteadOf]) if (each !== undefined) requireInside(each)
    const others = {
      ...(otherPath !== undefined && { otherPath }),
      ...(insteadOf !== undefined && { insteadOf }),
      ...(when !== undefined && { when }),
    }
    return [{ path, text, isOwn: words.includes('own'), ...others }]
  })
}

function requireInside(path: string): void {
  const isPlain = path !== '' && !isAbsolute(path) && !/[\\:]/.test(path) && normalize(path) === path
  if (!isPlain || path.split('/').includes('..')) throw new Error(`the guide has a file outside of the app: ${path}`)
}
