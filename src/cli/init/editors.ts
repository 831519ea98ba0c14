import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AskedOf } from '../arguments'
import type { Terminal } from '../terminal'
import { carryOut, linesOf, list, pathsOf } from '../user-app/carry-out'
import type { AppChanges } from '../user-app/carry-out'
import { readManifest, withMemberOf } from '../user-app/manifest'
import { installs, managerOf } from '../user-app/packages'
import { requireChangeable, requireWritable, textAt } from '../user-app/place'

/** The editors that read the servers of a project from a file: what a project has if it is used there, the file, and its list. */
const editors = [
  { marks: ['.cursor'], path: '.cursor/mcp.json', servers: 'mcpServers' },
  { marks: ['.vscode'], path: '.vscode/mcp.json', servers: 'servers' },
  { marks: ['.mcp.json', '.claude', 'CLAUDE.md'], path: '.mcp.json', servers: 'mcpServers' },
] as const

const entry = { command: 'npx', args: ['rxauth', 'mcp'] }

/** Offers to tell the editors of the project of `rxauth mcp`; does nothing where no question can be asked. */
export async function offerEditors(asked: AskedOf<'init'>, terminal: Terminal): Promise<void> {
  const { folder, environment } = terminal
  const agent = environment['npm_config_user_agent']
  const plan = () => planFor(folder, agent)
  const { writes, updates } = plan()
  if (writes.length + updates.length === 0) return
  if (asked.isSure || asked.isDryRun || terminal.isInteractive)
    await carryOut('init', { plan, shown: planText, hand: () => '' }, asked, terminal)
}

function planFor(folder: string, agent: string | undefined): AppChanges {
  const used = editors.filter(({ marks }) => marks.some(mark => existsSync(join(folder, mark))))
  const files = used.flatMap(({ path, servers }) => {
    if (!existsSync(join(folder, path))) {
      requireWritable(folder, path)
      return [{ path, isNew: true, text: `${JSON.stringify({ [servers]: { rxauth: entry } }, null, 2)}\n` }]
    }
    const text = textAt(folder, path)
    const root = parseTree(text)
    // A file that is no object, or has the entry, stays as it is.
    if (root?.type !== 'object' || findNodeAtLocation(root, [servers, 'rxauth'])) return []
    requireChangeable(folder, path)
    return [{ path, isNew: false, text: withMemberOf(text, servers, `"rxauth": ${JSON.stringify(entry)}`) }]
  })
  const own = join(folder, 'package.json')
  const manifest = readManifest(existsSync(own) ? readFileSync(own, 'utf8') : '{}')
  const packages = { packages: [], devPackages: ['@modelcontextprotocol/server'] }
  return {
    writes: files.filter(({ isNew }) => isNew),
    updates: files.filter(({ isNew }) => !isNew),
    manifest: null,
    installs: files.length > 0 ? installs(folder, manifest, managerOf(folder, manifest, agent), packages) : [],
  }
}

function planText({ writes, updates, installs: commands }: AppChanges): string {
  return [
    '\nFor coding agents: the running platform as tools of your editor, by rxauth mcp\n',
    list('Writes', pathsOf(writes)),
    list('Adds an entry to', pathsOf(updates)),
    list('Runs', linesOf(commands)),
  ].join('')
}
