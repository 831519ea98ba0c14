import { format } from './inspect'
import { fail, finish, obey, openStage, report } from './stage'
import type { Order } from './stage'

/** A program that prints without end must not fill the page. */
const mostLines = 500

// As `rxauth dev` starts a program: in a process that may have secret keys, for rxauth does not know the worker of a page here.
Object.assign(globalThis, { process: { env: openStage() }, DedicatedWorkerGlobalScope: undefined })

let lines = 0
const print = (...values: unknown[]) => {
  if (++lines <= mostLines) report({ type: 'printed', text: lines < mostLines ? format(...values) : '…' })
}
Object.assign(console, { log: print, info: print, debug: print, warn: print, error: print })

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  obey(data).catch(fail)
  if (data.type === 'start') import(data.script).then(finish, fail)
})
