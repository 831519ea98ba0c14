import { createPlatform } from 'rxauth/platform'
import { format } from './inspect'
import { address, fail, openStage, report } from './stage'

/** A program that prints without end must not fill the page. */
const mostLines = 500

openStage()
const { serverOptions } = createPlatform()
// As `rxauth dev` starts a program.
const env = {
  STACK_API_URL: address,
  STACK_PROJECT_ID: serverOptions.projectId,
  STACK_PUBLISHABLE_CLIENT_KEY: serverOptions.publishableClientKey,
  STACK_SECRET_SERVER_KEY: serverOptions.secretServerKey,
}
Object.assign(globalThis, { process: { env } })

let lines = 0
const print = (...values: unknown[]) => {
  if (++lines <= mostLines) report({ type: 'printed', text: lines < mostLines ? format(...values) : '…' })
}
Object.assign(console, { log: print, info: print, debug: print, warn: print, error: print })

// The first message is the address of the program.
addEventListener(
  'message',
  ({ data }: MessageEvent<string>) => {
    import(data).then(() => report({ type: 'done' }), fail)
  },
  { once: true },
)
