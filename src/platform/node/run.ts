import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { createPlatform } from '../create-platform'
import type { Platform } from '../platform'
import { help, readArguments } from './arguments'
import type { Asked } from './arguments'
import { listen } from './listen'
import type { Listening } from './listen'

/** What the program does to the world around it. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Told of Ctrl-C and of a request to end; returns "stop telling me". */
  onSignal(listener: (signal: NodeJS.Signals) => void): () => void
  /** Ctrl-C reaches every process of the terminal by itself. */
  readonly isInteractive: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Runs the `rxauth` program; resolves to its exit code. */
export async function run(given: readonly string[], terminal: Terminal): Promise<number> {
  const asked = readArguments(given)
  switch (asked.kind) {
    case 'help':
      terminal.out(help)
      return 0
    case 'misunderstood':
      terminal.err(`${asked.message}\n`)
      return 2
    case 'dev':
      return develop(asked, terminal)
  }
}

async function develop(
  { port, isStrict, wire, command, allowedHosts, allowedOrigins, webhooks }: Extract<Asked, { readonly kind: 'dev' }>,
  terminal: Terminal,
): Promise<number> {
  let platform: Platform
  let server: Listening
  try {
    platform = createPlatform({
      wire,
      compatibility: isStrict ? 'strict' : 'local',
      webhooks: webhooks.map(url => ({ url })),
    })
    server = await listen(platform, { port, allowedHosts, allowedOrigins })
  } catch (error) {
    terminal.err(`rxauth: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
  const { projectId, publishableClientKey } = platform.options
  terminal.out(
    `Local platform    ${server.url}\nProject id        ${projectId}\nPublishable key   ${publishableClientKey}\n`,
  )
  if (webhooks.length > 0) terminal.out(`Webhook secret    ${platform.webhooks.secret}\n`)
  const told = platform.webhooks.deliveries$.subscribe(({ type, url, status, isDelivered }) => {
    if (!isDelivered)
      terminal.err(`rxauth: ${url ?? ''} has ${status === null ? 'not answered' : `answered ${status} to`} ${type}\n`)
  })
  try {
    const [program, ...rest] = command
    if (program === undefined) return await untilSignal(terminal)
    return await runCommand(program, rest, variablesFor(platform, server.url), terminal)
  } finally {
    told.unsubscribe()
    platform.dispose()
    await server.close()
  }
}

function variablesFor({ adminOptions, webhooks }: Platform, url: string): Readonly<Record<string, string>> {
  return {
    NEXT_PUBLIC_STACK_API_URL: url,
    NEXT_PUBLIC_STACK_PROJECT_ID: adminOptions.projectId,
    NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY: adminOptions.publishableClientKey,
    STACK_SECRET_SERVER_KEY: adminOptions.secretServerKey,
    STACK_SUPER_SECRET_ADMIN_KEY: adminOptions.superSecretAdminKey,
    STACK_WEBHOOK_SECRET: webhooks.secret,
  }
}

/** Ending the platform is what the signal asks for, so it is no failure. */
function untilSignal(terminal: Terminal): Promise<number> {
  return new Promise(resolve => {
    const stop = terminal.onSignal(() => {
      stop()
      resolve(0)
    })
  })
}

function runCommand(
  program: string,
  rest: readonly string[],
  variables: Readonly<Record<string, string>>,
  terminal: Terminal,
): Promise<number> {
  const child = spawn(program, rest, {
    stdio: 'inherit',
    env: { ...terminal.environment, ...variables },
    // npm and its like are scripts there, which only a shell starts.
    shell: process.platform === 'win32',
  })
  const stop = terminal.onSignal(signal => {
    // A second Ctrl-C would cut the command's own clean-up short.
    if (signal === 'SIGINT' && terminal.isInteractive) return
    child.kill(signal)
  })
  return new Promise<number>(resolve => {
    child.once('error', error => {
      terminal.err(`rxauth: cannot run "${program}": ${error.message}\n`)
      resolve(127)
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  }).finally(stop)
}
