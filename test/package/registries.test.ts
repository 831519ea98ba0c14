import { posix } from 'node:path'
import { importedFiles } from './layers'
import { readSources } from './sources'

const sources = readSources('src')

/** Where the files of a level are listed: what an app has as members, and what only its entry exports. */
const lists: Readonly<Record<string, readonly string[]>> = {
  client: ['src/entities/client.ts', 'src/index.ts'],
  server: ['src/entities/server.ts', 'src/server.ts'],
  admin: ['src/entities/admin.ts', 'src/admin.ts'],
}

const listed = (level: string) =>
  (lists[level] ?? []).flatMap(path => importedFiles(path, sources.get(path) ?? '', sources))

describe.each(Object.keys(lists))('the lists of the level %s', level => {
  const own = [...sources.keys()].filter(
    path => /^src\/entities\/[^/]+\//.test(path) && posix.basename(path, '.ts').split('-')[0] === level,
  )

  it('have every file of it, so that no entity is forgotten', () => {
    expect(own.length).toBeGreaterThan(5)
    expect(own.filter(path => !listed(level).includes(path))).toEqual([])
  })

  it('have entities of no other level among the members of an app', () => {
    const [registry = ''] = lists[level] ?? []
    const others = importedFiles(registry, sources.get(registry) ?? '', sources).filter(path => !own.includes(path))
    expect(others.filter(path => !posix.basename(path).startsWith('shape'))).toEqual([])
  })
})
