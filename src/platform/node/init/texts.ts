import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { frameworkNames } from '../commands'
import type { FrameworkName } from '../commands'
import { frameworks } from './frameworks'
import type { Kept, Plan } from './plan'

/** What a plan does, before it is done. */
export function planText({ framework, writes, manifest, script, installs, stays, notes, byHand }: Plan): string {
  const isNothing = writes.length === 0 && manifest === null && installs.length === 0
  const change = script === null ? [] : [`the script "dev:auth": ${script}`]
  return [
    `${frameworks[framework].title}, with the files of docs/guides/${framework}.md\n`,
    isNothing ? `\nNothing to ${byHand.length > 0 ? 'write or install' : 'do: all of it is there'}.\n` : '',
    list(
      'Writes',
      writes.map(({ path }) => path),
    ),
    list('Adds to package.json', manifest === null ? [] : change),
    list(
      'Runs',
      installs.map(command => command.join(' ')),
    ),
    list('Leaves as they are', stays),
    notes.map(note => `\n${note}\n`).join(''),
  ].join('')
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${title}\n${lines.map(line => `  ${line}\n`).join('')}`
}

/** What the user has to add to files that exist. */
export function handText({ byHand, page }: Plan, folder: string): string {
  const files = byHand.map(kept => fileText(kept, folder))
  const entry =
    page === undefined ? '' : `\nBy hand, where the page is to be your first one: render \`Page\` in your own.\n`
  return files.join('') + entry
}

/** The guide's file; a plus marks the lines that the file in its place lacks. */
function fileText({ place, text }: Kept, folder: string): string {
  const present = new Set(linesOf(join(folder, place)).map(line => line.trim()))
  const lines = text.trimEnd().split('\n')
  const marked = lines.map(line => `${present.has(line.trim()) ? ' ' : '+'} ${line}`.trimEnd())
  return `\nBy hand: ${place} exists and stays as it is. The guide has this there; yours lacks the lines with a plus:\n\n${marked.join('\n')}\n`
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}

/** How a folder without an app gets one. */
export function newAppText(whole: readonly FrameworkName[], named: FrameworkName | undefined, above?: string): string {
  const asked: readonly FrameworkName[] = named === undefined ? frameworkNames : [named]
  const width = Math.max(...asked.map(name => frameworks[name].title.length)) + 2
  const rows = asked.map(name => `  ${frameworks[name].title.padEnd(width)}${frameworks[name].create}\n`).join('')
  return [
    'rxauth: there is no package.json in this folder.\n',
    above === undefined ? '' : `The next one is in ${above}: run init there.\n`,
    `Make an app, and run \`npx rxauth init\` in its folder:\n${rows}`,
    whole.length === 0
      ? ''
      : `Or have the whole app of a guide written here: rxauth init --framework ${whole.join(', ')}\n`,
  ].join('')
}
