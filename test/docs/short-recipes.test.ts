import { readFileSync } from 'node:fs'

/** The lines of code between the line that begins with `start` and the one that closes it. */
function linesOf(path: string, start: string): number {
  const lines = readFileSync(path, 'utf8').split('\n')
  const first = lines.findIndex(line => line.trim().startsWith(start))
  const indent = /^ */.exec(lines[first]!)![0]
  const last = lines.findIndex((line, at) => at > first && line.startsWith(`${indent}}`))
  return lines.slice(first + 1, last).filter(line => line.trim() !== '').length
}

const protect = 'docs/protect-your-backend.md'

it.each([
  ['a fetch handler, as of Next.js', protect, 'async function notes('],
  ['Hono', protect, 'const requireUser ='],
  ['Node', protect, 'async function nodeUser('],
  ['Express, over that of Node', protect, 'const expressUser:'],
  ['Express', 'docs/guides/express.md', 'const requireUser:'],
  ['Fastify', protect, 'async function fastifyUser('],
  ['Nest', protect, 'async canActivate('],
])('the guard of %s has at most six lines', (_, path, start) => {
  const lines = linesOf(path, start)
  expect([lines > 0, lines <= 6]).toEqual([true, true])
})

const caches = 'docs/other-caches.md'

it.each([
  ['TanStack Query', 'followIdentity(app, {\n  cancel'],
  ['SWR', 'export function FollowIdentity('],
  ['Apollo', 'followIdentity(app, {\n  async clear() {'],
  ['RTK Query', 'followIdentity(app, { clear: () => void store'],
  ['Dexie', 'followIdentity(app, {\n  async clear({ to }) {'],
])('the binding of %s has at most ten lines', (_, start) => {
  const text = readFileSync(caches, 'utf8')
  expect(text.split(start)).toHaveLength(2)
  const binding = /^[^]*?(?=```)/.exec(text.slice(text.indexOf(start)))![0]
  expect(binding.trim().split('\n').length).toBeLessThanOrEqual(start.startsWith('export') ? 11 : 10)
})

it('live updates begin with both halves, in at most ten lines', () => {
  const [beginning = ''] = readFileSync('docs/live-updates.md', 'utf8').split('\n## ')
  const blocks = [...beginning.matchAll(/^```ts.*\n([^]*?)^```/gm)].map(([, code = '']) => code)
  expect(blocks).toHaveLength(2)
  expect(
    blocks
      .join('')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('// ')).length,
  ).toBeLessThanOrEqual(10)
})
