import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { blocksOf, isRunnable, type Printing } from '../../../docs/.vitepress/run/programs'
import { expectedOutput, guides, readExamples, root, run } from '../blocks'
import { openWorld } from '../world'

const load = (name: string): unknown => jest.requireActual(name === 'solid-js' ? 'solid-js/dist/solid.cjs' : name)

const pages = guides()
  .filter(page => page.startsWith('docs/') && isRunnable(page.slice('docs/'.length)))
  .map(page => ({ page, text: readFileSync(join(root, page), 'utf8') }))
const blocks = pages.flatMap(({ page, text }) =>
  blocksOf(join(root, 'docs'), page.slice('docs/'.length), text).map(block => ({
    ...block,
    place: `${page}:${block.line}`,
  })),
)
const examples = pages.flatMap(({ page, text }) => readExamples(page, text).map(example => ({ page, ...example })))

describe('the blocks of all pages', () => {
  // Promise: site-programs
  it('of TypeScript or JavaScript have a program or a reason', () => {
    const fences = pages.flatMap(({ page, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (/^\s*```(?:[tj]sx?|[cm][tj]s)\b/.test(line) ? [`${page}:${index + 1}`] : [])),
    )
    const ended = blocks.filter(({ program, reason }) => (program === undefined) !== (reason === undefined))
    expect(fences.filter(place => !ended.some(block => block.place === place))).toEqual([])
  })

  // Promise: site-programs
  it('have a short reason', () => {
    const reasons = [...new Set(blocks.flatMap(({ reason }) => reason ?? []))]
    expect(reasons.sort()).toEqual([
      ...[
        'is a component for your app',
        'is a part of your app',
        'is a setting of Vite',
        'is not needed to run the app',
      ],
      ...['is part of the app that runs below', 'needs Next.js’ server', 'needs Node', 'needs React Router’s server'],
      ...['needs SvelteKit’s server', 'needs a test runner', 'needs your backend'],
    ])
  })

  // Promise: site-programs
  it('that the tests run have a reason only where no browser could run them', async () => {
    const refused = blocks.filter(({ place, reason }) => {
      const example = examples.find(({ page, parts }) => parts.some(({ line }) => `${page}:${line}` === place))
      return (
        reason && reason !== 'is part of the app that runs below' && (example?.runs || example?.renders !== undefined)
      )
    })
    expect(refused.length).toBeGreaterThan(5)
    const mistaken = await Promise.all(
      refused.map(async ({ place, code }) => {
        const example = examples.find(({ page, parts }) => parts.some(({ line }) => `${page}:${line}` === place))!
        // A page sends no cookies by hand.
        const needsNode = /\bheaders: \{ cookie\b/.test(code) || !(await bundles(example.code))
        return needsNode ? [] : [place]
      }),
    )
    expect(mistaken.flat()).toEqual([])
  })
})

/** Whether a browser could load it: nothing of it is of Node. */
async function bundles(code: string): Promise<boolean> {
  const { errors } = await build({
    stdin: { contents: code, loader: 'tsx', resolveDir: root },
    ...{ bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'silent' },
  }).catch((error: unknown) => error as { readonly errors: readonly unknown[] })
  return errors.length === 0
}

/** A program ends with its block, and may leave out what needs Node. */
const parts = blocks.flatMap(({ program }) =>
  program?.kind === 'worker' && !examples.some(({ code }) => code === program.code) ? [program] : [],
)

describe('a part of a program', () => {
  // Promise: site-programs
  it('is there for each block that another one continues', () => {
    expect(parts.length).toBeGreaterThan(20)
  })

  // Promise: site-programs
  it.each<Printing>(parts)('$name prints what its comments say', async program => {
    const world = openWorld()
    const problems: unknown[] = []
    for (const method of ['error', 'warn'] as const)
      jest.spyOn(console, method).mockImplementation((...printed) => void problems.push(...printed))
    try {
      const printed = await run(program, name => (name === 'rxauth' ? world.rxauth : load(name)), {}, world)
      const expected = expectedOutput(program.code)
      // What goes on after the last line of the block may print, too.
      for (let tries = 0; tries < 10_000 && printed.length < expected.length; tries++) await pause(1)
      expect(printed).toEqual(expected)
      expect(problems.filter(problem => !String(problem).includes('has not looked at its result'))).toEqual([])
    } finally {
      jest.restoreAllMocks()
      world.close()
    }
  })
})
