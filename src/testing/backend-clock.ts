// Loaded before a backend's own files, by `backendClock` of clock.ts: `Date` is as far ahead as the file says.
import { readFileSync } from 'node:fs'

const file = process.env['RXAUTH_CLOCK_FILE'] ?? ''

function movedMillis(): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    // No test has moved the time.
    return 0
  }
}

const realNow = Date.now
const now = () => realNow() + movedMillis()
Date.now = now
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[], made) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], made) as Date,
  apply: target => new target(now()).toString(),
})
// Some libraries find dates by it.
Date.prototype.constructor = Date
