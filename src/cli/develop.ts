import type { Subscription } from 'rxjs'
import { redact } from '../core/urls'
import { isRecord, parseJson } from '../core/values'
import type { WebRequest, WebResponse } from '../core/web-types'
import { saidBy } from '../errors/auth-error'
import { isSignInAs } from '../platform-inside'
import { listen, type HttpAnswer } from '../platform-node'
import type { AskedOf } from './arguments'
import { banner, isEverywhere, jsonLine, variablesFor, type Started } from './banner'
import { configPlaces, loadConfig, loadSeed, projectFolder, usualAppUrl, variablePrefix } from './config-file'
import { announce, dataPlace, openData } from './data-place'
import { applyConfig, firstSeed, reloading, setProject, settingsOf, webhooksOf } from './settings'
import { passkeyAdvice } from './passkey-package'
import { runCommand, type Terminal } from './terminal'

type Closers = (() => unknown)[]

/** `rxauth dev`: runs a platform until a signal arrives or its command ends. Rejects if it cannot start. */
export async function develop(flags: AskedOf<'dev'>, terminal: Terminal): Promise<number> {
  const closers: Closers = []
  if (flags.isJson) terminal.reserveOut()
  try {
    return await runUntilEnd(flags, terminal, closers)
  } finally {
    for (const close of closers.reverse()) {
      try {
        await close()
      } catch (error) {
        // The other closers must run too, since anything left open keeps the process alive.
        terminal.err(`rxauth: ${saidBy(error)}\n`)
      }
    }
  }
}

async function runUntilEnd(flags: AskedOf<'dev'>, terminal: Terminal, closers: Closers): Promise<number> {
  const { folder } = terminal
  const project = projectFolder(folder)
  const places = configPlaces(folder, project, flags.config)
  // The watch begins before the file is read, so that no change is missed. Changes wait until the platform has started.
  let isStale = false as boolean
  let reload = (): void => void (isStale = true)
  closers.push(terminal.watch(places, () => reload()))
  const loaded = await loadConfig(places, folder, flags.config !== undefined)
  const seed = await loadSeed(flags.seed, folder)
  const settings = settingsOf(flags, loaded.config, seed)
  const { wire, compatibility, rotation } = settings
  const options = { wire, compatibility, rotation, seed: firstSeed(loaded.config, compatibility, settings.seed) }
  const data = await openData(dataPlace(flags.data, loaded, { folder, project }), options, true)
  const { platform } = data
  closers.push(() => platform.dispose())
  await setProject(platform, loaded.config, settings)
  const setWebhooks = webhooksOf(platform)
  setWebhooks(settings.webhooks)
  const told = tellFailedWebhooks(platform.webhooks, terminal)
  closers.push(() => told.unsubscribe())

  // Standard output has exactly one line with --json, for tools.
  const say = (text: string) => (flags.isJson ? terminal.err(text) : terminal.out(text))
  const log = { isOn: false }
  const { port, host, allowedHosts, allowedOrigins } = settings
  const appUrl = usualAppUrl(project)
  const server = await listen(
    { fetch: request => platform.fetch(ledTo(appUrl, request)) },
    { port, host, allowedHosts, allowedOrigins, onAnswer: answer => log.isOn && say(requestLine(answer)) },
  ).catch((error: unknown) => {
    throw withOption(error)
  })
  closers.push(() => server.close())
  // The name that the documentation has, and that passkeys need; a server on all interfaces has it too.
  const url = isEverywhere(host) || host === '127.0.0.1' ? `http://localhost:${new URL(server.url).port}` : server.url
  const started: Started = {
    ...{ platform, data, settings, url, folder, configFile: loaded.file },
    consoleUrl: await consoleAt(url),
    passkeyAdvice: passkeyAdvice(),
    prefix: variablePrefix(project),
    appUrl,
  }
  log.isOn = settings.logs
  closers.push(announce(project, url))
  // Listens before the output, since its reader may send the signal at once.
  const ending = untilSignal(terminal)
  closers.push(() => ending.stop())
  terminal.out(flags.isJson ? jsonLine(started) : banner(started))
  if (settings.opens) await open(started, terminal)

  reload = reloading(loaded, {
    // If a named file has been deleted, the defaults must not replace it.
    load: () => loadConfig(places, folder, flags.config !== undefined),
    apply: async (before, after) => {
      const next = settingsOf(flags, after, seed)
      // This step may be refused, and then no setting of the file may be applied.
      const notes = await applyConfig(platform, before, after, next)
      setWebhooks(next.webhooks)
      log.isOn = next.logs
      return notes
    },
    say: text => terminal.err(`rxauth: ${text}\n`),
  })
  if (isStale) reload()
  if (flags.command.length === 0 || ending.hasCome()) return ending.code
  return runCommand(flags.command, variablesFor(platform, url), terminal, flags.isJson ? 'stderr' : 'stdout')
}

/** A request that signs a person in leads to the app of the project, where it names no page. */
function ledTo(appUrl: string, request: WebRequest): WebRequest {
  const url = new URL(request.url)
  if (!isSignInAs(url.pathname) || url.searchParams.has('to')) return request
  url.searchParams.set('to', appUrl)
  return new Request(url, request)
}

/** The reason why the platform cannot listen, with the option that changes the place. */
function withOption(error: unknown): unknown {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  const option = { EADDRINUSE: '--port', EACCES: '--port', EADDRNOTAVAIL: '--host', ENOTFOUND: '--host' }[
    cause?.code ?? ''
  ]
  return option === undefined ? error : new Error(`${saidBy(error)} with ${option}`, { cause })
}

async function consoleAt(url: string): Promise<string | null> {
  const answer = await fetch(`${url}/`, { redirect: 'manual' }).catch(() => null)
  await answer?.body?.cancel()
  const isPage = answer?.ok === true && /^text\/html\b/.test(answer.headers.get('content-type') ?? '')
  return isPage ? `${url}/` : null
}

async function open({ url, consoleUrl }: Started, terminal: Terminal): Promise<void> {
  const page = consoleUrl ?? `${url}/mailbox`
  try {
    await terminal.openPage(page)
  } catch (error) {
    terminal.err(`rxauth: no browser can be opened (${saidBy(error)}): the page is ${page}\n`)
  }
}

function tellFailedWebhooks({ deliveries$ }: Started['platform']['webhooks'], terminal: Terminal): Subscription {
  return deliveries$.subscribe(({ type, url, status, isDelivered }) => {
    if (!isDelivered)
      terminal.err(`rxauth: ${url ?? ''} has ${status === null ? 'not answered' : `answered ${status} to`} ${type}\n`)
  })
}

/** Resolves at a signal, which is a normal end and not a failure. */
function untilSignal(terminal: Terminal) {
  let hasCome = false
  let stop: () => void = () => undefined
  const code = new Promise<number>(resolve => {
    stop = terminal.onSignal(() => {
      hasCome = true
      resolve(0)
    })
  })
  return { code, stop: () => stop(), hasCome: () => hasCome }
}

/**
 * One line with access, address, status and the reason of a failure. Only the address's path is shown: queries have
 * codes.
 */
export function requestLine({ request, response, body, millis }: HttpAnswer): string {
  const { pathname } = new URL(request.url)
  const access = request.headers.get('x-stack-access-type')
  const who = access === null ? '' : ` (${shortOf(access)})`
  const status = response ? (response.headers.get('x-stack-actual-status') ?? String(response.status)) : 'no answer'
  const reason = response ? reasonOf(response, Number(status), body) : ''
  return `${request.method} ${maskedPath(pathname)}${who} ${status} ${millis.toFixed(0)} ms${reason && `: ${reason}`}\n`
}

function reasonOf({ headers }: WebResponse, status: number, body: string): string {
  const location = headers.get('location')
  if (location !== null && status < 400) return redirectionOf(location)
  if (status < 400) return ''
  const code = headers.get('x-stack-known-error')
  const message = oneLine(redact(messageIn(body)))
  return [code, message].filter(part => part !== null && part !== '').join(' ')
}

/** The failure that a redirect has in its query. */
function redirectionOf(location: string): string {
  if (!URL.canParse(location)) return `to ${maskedPath(location.split('?', 1)[0] ?? '')}`
  const { origin, pathname, searchParams } = new URL(location)
  const failure = searchParams.get('errorCode') ?? searchParams.get('error')
  return `to ${origin}${maskedPath(pathname)}${failure === null ? '' : ` with ${shortOf(failure)}`}`
}

function messageIn(body: string): string {
  const parsed = parseJson(body)
  if (isRecord(parsed) && typeof parsed['error'] === 'string') return parsed['error']
  // A text or a page, without an error code.
  return body.startsWith('<') ? '' : body
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

/** Text from a client on one line, so that it cannot imitate a line of the log. */
function shortOf(text: string): string {
  return oneLine(redact(text)).slice(0, 60)
}

/** Hides secrets segment by segment, since a match could run past the end of a segment. */
function maskedPath(path: string): string {
  return path.split('/').map(redact).join('/').slice(0, 1000)
}
