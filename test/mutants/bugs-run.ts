// `npm run nightly -- bugs`: each bug of bugs.ts in the sources fails its test and the simulator, which pass without it.
import { bugs, patched } from './bugs'
import { Copy } from './copy'

const simulator = 'test/simulator'

async function main(): Promise<void> {
  const copy = new Copy('50%', 900_000)
  try {
    const failing = await copy.failing('--testPathPatterns', simulator, ...new Set(bugs.map(({ test }) => test)))
    if (failing.length > 0) throw new Error(`these tests fail without a bug, too:\n${failing.join('\n')}`)
    for (const bug of bugs) {
      const texts = patched(bug, file => copy.read(file))
      for (const tests of [bug.test, simulator]) {
        const outcome = await copy.with(texts, () => copy.tests('--testPathPatterns', tests))
        console.log(`${outcome}  ${tests}  ${bug.bug}`)
        if (outcome !== 'failed') process.exitCode = 1
      }
    }
  } finally {
    copy.dispose()
  }
}

void main()
