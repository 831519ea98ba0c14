// `rxauth add`. The files and packages are those of `npx shadcn add` with the same registry. Beyond that the command copies the
// navigation of the app's router, writes the list of the pages, their routes and the app of rxauth (`mounting.ts`), prints the lines
// that the app lacks (`steps.ts`), and tells the changes of the user from those of an update (`copied.ts`, `diff.ts`).
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nearest } from '../../platform-inside'
import type { AskedOf } from '../arguments'
import { projectFolder } from '../config-file'
import { rootText } from '../init/guide'
import type { Terminal } from '../terminal'
import { carryOut, isNothing, linesOf, list, pathsOf, requireNode } from '../user-app/carry-out'
import { dependenciesIn, readManifest } from '../user-app/manifest'
import { planAdd, type AddPlan } from './plan'
import { readScreens, type Item, type Screens } from './registry'

/** `rxauth add`: copies screens into the app of this folder, or lists them; resolves to the exit code. */
export async function addScreens(asked: AskedOf<'add'>, terminal: Terminal, screens = readScreens()): Promise<number> {
  requireNode()
  if (asked.names.length === 0) {
    terminal.out(listText(screens))
    return 0
  }
  const items = chosen(asked.names, screens, terminal)
  if (items === null || !isApp(terminal)) return 2
  const { folder, environment } = terminal
  const target = { folder, to: asked.to, isUpdate: asked.isUpdate, agent: environment['npm_config_user_agent'] }
  const plan = await carryOut(
    'add',
    { plan: () => planAdd(target, items, screens), shown: planText, hand: handText },
    asked,
    terminal,
  )
  return typeof plan === 'number' ? plan : 0
}

function chosen(names: readonly string[], { items }: Screens, terminal: Terminal): readonly Item[] | null {
  const known = items.map(({ name }) => name)
  const unknown = names.find(name => !known.includes(name))
  if (unknown === undefined) return items.filter(({ name }) => names.includes(name))
  const meant = nearest(unknown, known) ?? known.find(name => unknown.length > 2 && name.includes(unknown))
  const hint = meant === undefined ? `: ${known.join(', ')}` : `; did you mean ${meant}?`
  terminal.err(`rxauth: "${unknown}" is none of the screens${hint}\n`)
  return null
}

function isApp(terminal: Terminal): boolean {
  const { folder } = terminal
  const err = (text: string) => terminal.err(text)
  const file = join(folder, 'package.json')
  if (!existsSync(file)) {
    const above = projectFolder(dirname(folder))
    const next = existsSync(join(above, 'package.json')) ? `\nThe next one is in ${above}: run add there.` : ''
    err(`rxauth: there is no package.json in this folder: run add in the folder of an app with React.${next}\n`)
    return false
  }
  const manifest = readManifest(readFileSync(file, 'utf8'))
  const root = dependenciesIn(manifest).has('react') ? null : rootText('add', folder, manifest)
  if (root !== null) err(root)
  return root === null
}

function listText({ items }: Screens): string {
  const width = Math.max(...items.map(({ name }) => name.length)) + 2
  const rows = items.map(({ name, description }) => `  ${name.padEnd(width)}${description}\n`)
  return `The screens that rxauth add copies into your app:\n\n${rows.join('')}\nExample: rxauth add sign-in account\n`
}

const titles = { wouter: 'React', next: 'Next.js', 'react-router': 'React Router' }

function planText(plan: AddPlan): string {
  const { items, router, writes, updates, installs, same, formatted, own, orphans, notes, to } = plan
  const isDone = plan.news.length + plan.merges.length + plan.diffs.length === 0
  return [
    `${items.map(({ title }) => title).join(', ')}: for an app of ${titles[router]}, in ${to}\n`,
    isNothing(plan) ? `\nNothing to ${isDone ? 'do: all of it is there' : 'write or install'}.\n` : '',
    list('Writes', byFolder(pathsOf(writes), to)),
    list('Updates', byFolder(pathsOf(updates), to)),
    list('Runs', linesOf(installs)),
    list('Are up to date', byFolder(same, to)),
    list('Are up to date, and formatted anew', byFolder(formatted, to)),
    list('Are up to date, with your changes', byFolder(own, to)),
    list('Are imported by nothing any more: delete them', orphans),
    notes.map(note => `\n${note}\n`).join(''),
  ].join('')
}

/** The folders of the screens, each with the number of its files, and the other files. */
function byFolder(paths: readonly string[], to: string): readonly string[] {
  const folders = new Map<string, string[]>()
  for (const path of paths) {
    const [part = '', ...rest] = path.startsWith(`${to}/`) ? path.slice(to.length + 1).split('/') : []
    const shown = rest.length > 0 ? `${to}/${part}/` : path
    folders.set(shown, [...(folders.get(shown) ?? []), path])
  }
  return [...folders].map(([shown, [first = '', ...more]]) =>
    more.length > 0 ? `${shown}  ${more.length + 1} files` : first,
  )
}

function handText({ items, news, merges, diffs, writes, steps, to }: AddPlan): string {
  const part = (title: string, texts: readonly string[], after = '') =>
    texts.length === 0 ? '' : `\n${title}:\n\n${texts.join('\n\n')}\n${after}`
  const command = `rxauth add ${items.map(({ name }) => name).join(' ')} --update`
  return [
    part('New from rxauth, in files that you have not changed', news, `\nTo have this written: ${command}\n`),
    part('New from rxauth, in files that you have changed, which stay as they are. To add by hand', merges),
    part('Yours differ from those that are shipped, and stay as they are. From yours to ours', diffs),
    steps === '' ? '' : `\nIn your app:\n\n${steps}`,
    writes.length > 1 ? `\nYour look and your texts: ${to}/screens.css, ${to}/words/en.ts\n` : '',
  ].join('')
}
