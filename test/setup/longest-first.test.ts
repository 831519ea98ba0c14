import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import list from './longest.json'

interface Test {
  readonly path: string
  readonly context: { readonly config: object; readonly hasteFS: { getSize(path: string): number } }
}
type Module = {
  readonly default: new (options: object) => { sort(tests: Test[]): Test[] }
  slowest(results: readonly object[]): Readonly<Record<string, number>>
}

const root = join(__dirname, '../..')
const { default: LongestFirst, slowest } = jest.requireActual<Module>('./longest-first.mjs')
const [longest = '', second = ''] = Object.keys(list)

let cacheDirectory: string

beforeEach(() => (cacheDirectory = mkdtempSync(join(tmpdir(), 'rxauth-order-'))))

afterEach(() => rmSync(cacheDirectory, { recursive: true }))

/** The order of these files, of which a shorter name is a shorter file, where Jest has measured and seen so much before. */
function sorted(paths: readonly string[], seen: Readonly<Record<string, [isGood: 0 | 1, millis: number]>> = {}) {
  const config = { id: 'unit', cache: true, cacheDirectory, haste: {} }
  const context = { config, hasteFS: { getSize: (path: string) => path.length } }
  const sequencer = new LongestFirst({})
  const file = (sequencer as unknown as { _getCachePath(context: object): string })._getCachePath(context)
  writeFileSync(
    file,
    JSON.stringify(Object.fromEntries(Object.entries(seen).map(([path, each]) => [join(root, path), each]))),
  )
  const tests = paths.map(path => ({ path: join(root, path), context }))
  return sequencer.sort(tests).map(({ path }) => path.slice(root.length + 1))
}

describe('the order of test files', () => {
  it('in a new clone is that of the written list, then that of their lengths', () => {
    const others = ['test/a.test.ts', 'test/a-longer-one-of-which-the-list-knows-nothing.test.ts']
    expect(sorted([...others, second, longest])).toEqual([longest, second, ...others.reverse()])
  })

  it('is that of the times which the machine has measured, for those files that it has run', () => {
    const seen = { 'test/quick.test.ts': [1, 10], 'test/slow.test.ts': [1, 1e7], [longest]: [1, 20] } as const
    expect(sorted(['test/quick.test.ts', longest, second, 'test/slow.test.ts'], { ...seen } as never)).toEqual([
      'test/slow.test.ts',
      second,
      longest,
      'test/quick.test.ts',
    ])
  })

  it('has those first that failed the last time', () => {
    expect(sorted([longest, 'test/failed.test.ts'], { 'test/failed.test.ts': [0, 10] })).toEqual([
      'test/failed.test.ts',
      longest,
    ])
  })
})

describe('the written list', () => {
  it('has the slowest files of a run, one that ran twice by its longer time', () => {
    const ran = (name: string, seconds: number) => ({
      name: join(root, name),
      startTime: 1000,
      endTime: 1000 + seconds * 1000,
    })
    const many = Array.from({ length: 70 }, (_, index) => ran(`test/${index}.test.ts`, index))
    const written = Object.entries(slowest([...many, ran('test/5.test.ts', 300), ran('test/69.test.ts', 1)]))
    expect(written).toHaveLength(60)
    expect(written.slice(0, 3)).toEqual([
      ['test/5.test.ts', 300],
      ['test/69.test.ts', 69],
      ['test/68.test.ts', 68],
    ])
  })

  it('names files that exist, the slowest first', () => {
    expect(Object.keys(list).filter(path => !existsSync(join(root, path)))).toEqual([])
    const seconds = Object.values(list)
    expect(seconds).toEqual([...seconds].sort((one, other) => other - one))
  })
})
