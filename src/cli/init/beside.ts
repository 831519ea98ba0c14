import type { FrameworkName } from '../commands'
import { beginsApp } from './frameworks'
import { scriptOf } from '../user-app/manifest'
import type { Manifest } from '../user-app/manifest'

/** A note with the command for both where the script, the app's own or the `added` one, starts a page and not the server of the guide. */
export function besideNotes(
  framework: FrameworkName,
  command: string | undefined,
  manifest: Manifest,
  name: string,
  added: string,
): string[] {
  if ((framework !== 'express' && framework !== 'hono') || command === undefined) return []
  const script = scriptOf(manifest, name) ?? added
  const inner = script.match(/(?<=\b(?:run|npm|pnpm|yarn|bun) )[\w:.-]+/g) ?? []
  const started = [script, ...inner.map(each => scriptOf(manifest, each))].join(' ')
  const file = command.slice(command.lastIndexOf(' ') + 1)
  // An app that has the framework may start a server of its own.
  const isOwn = !beginsApp(framework, manifest) && /\.[cm]?[jt]s\b/.test(started)
  if (started.includes(file) || isOwn) return []
  const at = script.indexOf('rxauth dev')
  const [dev = '', ...rest] = at < 0 ? ['rxauth dev', script] : script.slice(at).split(' -- ')
  const page = rest.join(' -- ').replaceAll('"', '\\"')
  const both = page === '' ? command : `sh -c "${command} & ${page}"`
  return [
    `The script "${name}" does not start ${file}. To start both ("Beside a page" of docs/guides/hono.md):\n  npx ${dev} -- ${both}`,
  ]
}
