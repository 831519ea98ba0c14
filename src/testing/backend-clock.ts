// Loaded before a backend's own files, by `backendClock` of backends.ts: `Date` is as far ahead as the file says.
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.env['RXAUTH_CLOCK_FILE']
const loaded = Symbol.for('rxauth.backend-clock')

// Two copies of rxauth would move it twice.
if (file !== undefined && !(loaded in globalThis)) {
  Object.assign(globalThis, { [loaded]: true })
  writeFileSync(`${file}.loaded`, '')
  moveDate(file)
}

function moveDate(path: string): void {
  const realNow = Date.now
  const now = () => realNow() + movedMillis(path)
  Date.now = now
  globalThis.Date = new Proxy(Date, {
    construct: (target, args: unknown[], made) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], made) as Date,
    apply: target => new target(now()).toString(),
  })
  // Some libraries find dates by it.
  Date.prototype.constructor = Date
}

function movedMillis(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    // No test has moved the time.
    return 0
  }
}
