import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { offerEditors } from '../../../src/cli/init/command'
import { terminal } from '../terminal'

const name = '@modelcontextprotocol/server'
const entry = { command: 'npx', args: ['rxauth', 'mcp'] }

let folder: string
beforeEach(() => {
  folder = terminal().io.folder
  put('package.json', JSON.stringify({ devDependencies: { [name]: '^2.4.0' } }))
  put(`node_modules/${name}/package.json`, '{}')
})

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8')

/** What is printed, where the user answers so; null cannot be asked. */
async function offered(answer: string | null = 'y', asked: object = {}): Promise<string> {
  const isInteractive = answer !== null
  const { io, out } = terminal({ folder, isInteractive, ...(isInteractive && { ask: async () => answer }) })
  await offerEditors({ framework: undefined, isDryRun: false, isSure: false, ...asked }, io)
  return out()
}

// Promise: mcp-editors
it.each([
  ['.cursor/rules', '.cursor/mcp.json', 'mcpServers'],
  ['.vscode/settings.json', '.vscode/mcp.json', 'servers'],
  ['CLAUDE.md', '.mcp.json', 'mcpServers'],
  ['.claude/settings.json', '.mcp.json', 'mcpServers'],
])('a project with %s gets an entry in %s, after a question', async (mark, path, servers) => {
  put(mark, '')
  expect(await offered('n')).toContain('Nothing was written.')
  expect(existsSync(join(folder, path))).toBe(false)
  expect(await offered(null)).toBe('')
  expect(await offered()).toContain(`Writes\n  ${path}\n`)
  expect(JSON.parse(read(path))).toEqual({ [servers]: { rxauth: entry } })
  expect(await offered()).toBe('')
})

it('a project without an editor is not asked', async () => {
  expect(await offered()).toBe('')
  expect(await offered(null, { isSure: true })).toBe('')
})

// Promise: mcp-editors
it.each([
  ['{\n  // mine\n  "mcpServers": {\n    "own": { "command": "x" }\n  }\n}\n', ',\n    "rxauth": ENTRY\n  }\n}\n'],
  ['{"mcpServers":{}}', '{"mcpServers":{"rxauth": ENTRY}}'],
  ['{ // mine\n\t"other":[]\n}\n', '{ // mine\n\t"other":[],\n\t"mcpServers": {"rxauth":ENTRY}\n}\n'],
  ['{ "other": 1 }', ', "mcpServers": {"rxauth":ENTRY} }'],
])('the other entries and comments of a file stay: %j', async (before, after) => {
  put('.mcp.json', before)
  expect(await offered()).toContain('Adds an entry to\n  .mcp.json\n')
  expect(read('.mcp.json').endsWith(after.replace('ENTRY', JSON.stringify(entry)))).toBe(true)
  for (const line of before.split('\n').slice(0, 4)) expect(read('.mcp.json')).toContain(line.replace(/[{} ]+$/, ''))
})

it.each(['[]', '', '{"mcpServers":{"rxauth":{"command":"mine"}}}'])('a file stays as it is: %j', async text => {
  put('.mcp.json', text)
  expect(await offered(null, { isSure: true })).toBe('')
  expect(read('.mcp.json')).toBe(text)
})

it('the package is installed where it is missing, and a file outside of the folder is not changed', async () => {
  put('package.json', '{}')
  put('.mcp.json', '{}')
  expect(await offered(null, { isDryRun: true })).toContain(`Runs\n  npm install --save-dev ${name}\n`)
  const { io } = terminal()
  writeFileSync(join(io.folder, 'mcp.json'), '{}')
  mkdirSync(join(folder, '.cursor'))
  symlinkSync(join(io.folder, 'mcp.json'), join(folder, '.cursor/mcp.json'))
  await expect(offered()).rejects.toThrow('.cursor/mcp.json is a link to a file outside of this folder')
})
