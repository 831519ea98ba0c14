// `npm run nightly -- bugs`: each bug of bugs.ts in the sources fails its test and the simulator, which pass without it.
import { bugs, otherBugs, patched } from './bugs'
import { Copy } from './copy'

const simulator = [
  '--testPathPatterns',
  'test/simulator',
  '--testNamePattern',
  'no run breaks an invariant|three people',
]
const all = [...bugs, ...otherBugs]
const of = (...files: readonly string[]) => ['--testPathPatterns', ...files]

async function main(): Promise<void> {
  const copy = new Copy('50%', 900_000)
  /** As many seeds as `npm test` has find most bugs. */
  const simulated = (seeds: string) => {
    process.env['RXAUTH_SEEDS'] = seeds
    return copy.tests(...simulator)
  }
  try {
    for (const words of [of(...new Set(all.map(({ test }) => test))), simulator]) {
      const failing = await copy.failing(...words)
      if (failing.length > 0) throw new Error(`these tests fail without a bug, too:\n${failing.join('\n')}`)
    }
    for (const bug of all) {
      const texts = patched(bug, file => copy.read(file))
      const byTest = await copy.with(texts, () => copy.tests(...of(bug.test)))
      const bySimulator = await copy.with(texts, async () => {
        const first = await simulated('200')
        return first === 'passed' ? simulated('2000') : first
      })
      console.log(`${bug.test} ${byTest}, the simulator ${bySimulator}: ${bug.bug}`)
      // A bug that the simulator sees by now has no reason any more.
      if (byTest !== 'failed' || bySimulator !== (bug.notSimulated === undefined ? 'failed' : 'passed'))
        process.exitCode = 1
    }
  } finally {
    copy.dispose()
  }
}

void main()
