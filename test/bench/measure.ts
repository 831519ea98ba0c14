import { Bench } from 'tinybench'

/** The first case is the one that the others are compared with, unless they name another; above its target a ratio fails. */
type Case = readonly [name: string, run: () => unknown, target?: number | undefined, against?: string]

/** Runs the cases in turn and prints medians and ratios side by side. */
export async function compare(title: string, cases: readonly Case[]): Promise<void> {
  const bench = new Bench({ time: 400, warmupTime: 100 })
  for (const [name, run] of cases)
    bench.add(name, async () => {
      await run()
    })
  await bench.run()
  report(title, cases, name => {
    const result = bench.getTask(name)?.result
    if (!result || !('latency' in result)) throw new Error(`the benchmark "${name}" did not finish`)
    return result.latency.p50
  })
}

/**
 * The same for cases that leave work for later, such as an update of a page: they take turns, with time for the page in
 * between. In CPU time, so that other programs on the machine do not count.
 */
export async function compareInTurn(title: string, cases: readonly Case[]): Promise<void> {
  const warmUp = 50
  const turns = cases.map(([name, run]) => ({ name, run, millis: [] as number[] }))
  const measured = new Map(turns.map(one => [one.name, one.millis]))
  for (let round = 0; round < warmUp + 300; round++) {
    for (const { run, millis } of turns) {
      const start = process.cpuUsage()
      await run()
      const { user, system } = process.cpuUsage(start)
      if (round >= warmUp) millis.push((user + system) / 1000)
      await new Promise(resolve => setImmediate(resolve))
    }
    // The order changes, so that no case always follows the same one.
    turns.push(...turns.splice(0, 1 + (round % turns.length)))
  }
  report(title, cases, name => {
    const millis = measured.get(name) ?? []
    return millis.sort((a, b) => a - b)[millis.length >> 1] ?? NaN
  })
}

function report(title: string, cases: readonly Case[], timeOf: (name: string) => number): void {
  const first = cases[0]?.[0] ?? ''
  const bases = [first, ...cases.flatMap(([, , , against]) => against ?? [])]
  const rows = cases.map(([name, , target, against = first]) => ({
    name,
    value: `${(timeOf(name) * 1000).toFixed(1)} µs`,
    ratio: bases.includes(name) ? undefined : timeOf(name) / timeOf(against),
    target,
  }))
  print(title, rows)
}

/** Bytes on the heap per item of `make`, as the median of several runs. */
export function bytesEach(count: number, make: (count: number) => { release(): void }): number {
  const once = (): number => {
    const before = heapUsed()
    const held = make(count)
    const size = (heapUsed() - before) / count
    held.release()
    return size
  }
  // A separate function, so that no run keeps objects of another one.
  const sizes = Array.from({ length: 7 }, once)
  return sizes.sort((a, b) => a - b)[3] ?? 0
}

function heapUsed(): number {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('run this with `npm run bench`, which gives access to the garbage collector')
  gc()
  gc()
  return process.memoryUsage().heapUsed
}

interface Row {
  readonly name: string
  readonly value: string
  readonly ratio?: number | undefined
  /** The limited quantity, if it is not the ratio. */
  readonly bytes?: number
  readonly target?: number | undefined
}

export function print(title: string, rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const lines = rows.map(({ name, value, ratio, bytes, target }) => {
    const compared = ratio === undefined ? '' : `  ${ratio.toFixed(2)}×`
    const isMissed = target !== undefined && !((ratio ?? bytes ?? NaN) <= target)
    if (isMissed) process.exitCode = 1
    const promised = target === undefined ? '' : `  (target ≤ ${target}${isMissed ? ': MISSED' : ''})`
    return `    ${name.padEnd(width)}  ${value.padStart(12)}${compared}${promised}`
  })
  process.stdout.write(`  ${title}\n${lines.join('\n')}\n`)
}
