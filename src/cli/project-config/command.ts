import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { hostedBaseUrl, localKeys, localProject } from '../../core/defaults'
import { withoutEnding } from '../../core/urls'
import { isRecord } from '../../core/values'
import type { ConfigLevel } from '../../entities/config/shape'
import { changesOf, settingsOf } from '../../entities/config/shape-derive'
import { differenceOf, isSet, setting, type Variable } from '../../errors/setting'
import type { AskedOf } from '../arguments'
import { isLoopback, variableNames } from '../banner'
import { printable, type Terminal } from '../terminal'
import { replaceFile } from '../user-app/carry-out'
import { onFile } from '../file-fault'
import { byLevel, differences, leavesOf, nested, saidAt, secretsIn, secretTextsIn } from './differences'
import type { ConfigJson } from './differences'

const defaultFile = 'rxauth.project.json'

/** `rxauth config pull`, `diff` and `push`; resolves to the exit code: 1 where `diff` finds a difference, 2 where it fails (`run`). */
export async function projectConfig(asked: AskedOf<'config'>, terminal: Terminal): Promise<number> {
  const { action, level = 'branch' } = asked
  const file = resolve(terminal.folder, asked.file ?? defaultFile)
  const name = relative(terminal.folder, file) || file
  // The file is read before a request: an unreadable one must not look like an error of the platform.
  const parts = action === 'pull' ? null : partsOf(read(file, name), name, level)
  const connection = connect(terminal, level)
  if (parts === null) {
    const present = await presentAt(connection, level)
    onFile(name, 'written', () => {
      mkdirSync(dirname(file), { recursive: true })
      // The file may have secrets: its owner alone can read it.
      replaceFile(file, `${JSON.stringify(nested(present), null, 2)}\n`, 0o600)
    })
    terminal.out(`${name} has what ${placeOf(level, connection)} says.\n`)
    warn(present, name, terminal)
    return 0
  }
  const changes: LevelChange[] = []
  for (const part of parts) {
    if (part.level === 'environment' && connection.access === 'server') leave(part.config, terminal)
    else changes.push(await changeOf(part, connection))
  }
  const lines = changes.flatMap(change => change.lines)
  for (const line of lines) terminal.out(`${line}\n`)
  if (level === 'branch' && connection.access === 'admin') await nameHidden(parts, connection, terminal)
  const places = changes.map(change => placeOf(change.level, connection)).join(' and ')
  if (action === 'diff' || asked.isDryRun) {
    if (lines.length === 0) terminal.out(`${name} is what ${places} says.\n`)
    if (asked.isDryRun) terminal.out(`A push would change ${counted(lines)}.\n`)
    return action === 'diff' && lines.length > 0 ? 1 : 0
  }
  for (const change of changes) await push(change, connection, file, terminal)
  terminal.out(`${name} is pushed to ${places}: ${counted(lines)} changed.\n`)
  return 0
}

interface LevelPart {
  readonly level: ConfigLevel
  readonly config: ConfigJson
}

interface LevelChange extends LevelPart {
  /** A line for each value that a push changes. */
  readonly lines: readonly string[]
}

/** A file for the branch may have settings of the environment, which go there. Throws for settings that a level refuses. */
function partsOf(config: ConfigJson, name: string, level: ConfigLevel): readonly LevelPart[] {
  const { branch, environment, project } = byLevel(config)
  if (level !== 'project') refuseProject(project, name)
  if (level === 'project') return [{ level, config: settingsOf(name, level, config) }]
  if (level === 'environment') return [{ level, config: changesOf(name, level, config) }]
  const changes = changesOf(name, 'environment', environment)
  return [
    { level, config: settingsOf(name, level, branch) },
    ...(Object.keys(changes).length > 0 ? [{ level: 'environment' as const, config: changes }] : []),
  ]
}

function refuseProject(project: ConfigJson, name: string): void {
  const [path] = leavesOf(project).keys()
  if (path !== undefined)
    throw new Error(
      `${name} has ${printable(path)}, which only the level project takes: push it from a file of its own with --level project`,
    )
}

async function changeOf({ level, config }: LevelPart, connection: ConfigConnection): Promise<LevelChange> {
  const present = await presentAt(connection, level)
  if (level !== 'environment') return { level, config, lines: differences(present, config) }
  return { level, config, lines: differences(saidAt(present, Object.keys(config)), config, false) }
}

/** A push never replaces the environment: a project that was created on the platform has all its settings there. */
async function push(
  { level, config }: LevelChange,
  connection: ConfigConnection,
  file: string,
  terminal: Terminal,
): Promise<void> {
  const text = JSON.stringify(config)
  const source = level === 'branch' ? { source: sourceOf(file, terminal) } : {}
  if (level === 'environment')
    await connection.ask('PATCH', level, { config_override_string: text }, secretTextsIn(config))
  else await connection.ask('PUT', level, { config_string: text, ...source }, secretTextsIn(config))
}

function placeOf(level: ConfigLevel, { url }: ConfigConnection): string {
  return `the level ${level} at ${url}`
}

function leave(config: ConfigJson, terminal: Terminal): void {
  const paths = [...leavesOf(config, false).keys()].map(printable).join(', ')
  terminal.err(`rxauth: left out ${paths}: the level environment takes them, with STACK_SUPER_SECRET_ADMIN_KEY\n`)
}

/** Names the settings that the environment has too. The values of the branch have no effect there. */
async function nameHidden(
  parts: readonly LevelPart[],
  connection: ConfigConnection,
  terminal: Terminal,
): Promise<void> {
  const [branch] = parts
  const environment = await presentAt(connection, 'environment')
  const own = [...leavesOf(branch?.config ?? {}).keys()]
  const hidden = own.filter(path => Object.keys(saidAt(environment, [path])).length > 0)
  if (hidden.length > 0)
    terminal.err(
      `rxauth: the level environment also says ${hidden.map(printable).join(', ')}: the branch has no effect there\n`,
    )
}

function counted({ length }: readonly string[]): string {
  return length === 0 ? 'nothing' : `${length} ${length === 1 ? 'value' : 'values'}`
}

function warn(config: ConfigJson, name: string, terminal: Terminal): void {
  const secrets = secretsIn(config)
  if (secrets.length > 0)
    terminal.err(`rxauth: ${name} has secrets (${secrets.join(', ')}): keep it out of version control\n`)
}

function read(file: string, name: string): ConfigJson {
  if (!existsSync(file)) throw new Error(`there is no configuration at ${name}: rxauth config pull writes it`)
  const text = onFile(name, 'read', () => readFileSync(file, 'utf8'))
  let config: unknown
  try {
    config = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // The message of the parser quotes the file, which may have secrets.
    throw new Error(`${name} is not valid JSON`, { cause: error })
  }
  if (isRecord(config)) return config
  throw new Error(`${name} must have an object`)
}

async function presentAt(connection: ConfigConnection, level: ConfigLevel): Promise<ConfigJson> {
  try {
    const { config_string: text } = JSON.parse(await connection.ask('GET', level)) as { readonly config_string: string }
    const config: unknown = JSON.parse(text)
    if (isRecord(config)) return config
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Error(
    `${connection.url} answers something else than a configuration: is STACK_API_URL the address of the platform?`,
  )
}

/** The source of the file: the commit of a workflow on GitHub, or unknown. */
function sourceOf(file: string, { environment, folder }: Terminal) {
  const { GITHUB_REPOSITORY = '', GITHUB_REF_NAME: branch, GITHUB_SHA: commit, GITHUB_WORKSPACE } = environment
  const [owner, repo, ...more] = GITHUB_REPOSITORY.split('/')
  if (!owner || !repo || more.length > 0 || !branch || !commit) return { type: 'pushed-from-unknown' }
  const path = relative(GITHUB_WORKSPACE ?? folder, file)
    .split(sep)
    .join('/')
  return { type: 'pushed-from-github', owner, repo, branch, commit_hash: commit, config_file_path: path }
}

/** The project whose configuration is read and written. */
interface ConfigConnection {
  readonly url: string
  /** A server key reads and writes only the branch. */
  readonly access: 'admin' | 'server'
  /** Resolves to the text of the answer; rejects with the reason of a refusal, without the key and the secrets. */
  ask(method: 'GET' | 'PUT' | 'PATCH', level: ConfigLevel, body?: object, secrets?: readonly string[]): Promise<string>
}

/** Reads the environment. Throws for a missing or unusable variable, and names it. */
export function connect(
  { environment, err }: Pick<Terminal, 'environment' | 'err'>,
  level: ConfigLevel,
): ConfigConnection {
  const read = (which: keyof typeof variableNames) => {
    const variables = variableNames[which].map((name): Variable => [name, () => environment[name]])
    const difference = differenceOf(variables)
    if (difference) err(`rxauth: ${difference}\n`)
    const [name, text] = variables.find(isSet) ?? []
    return name && setting(name, text?.())
  }
  const url = withoutEnding(read('url') ?? hostedBaseUrl, '/')
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password || parsed.search)
    throw new Error('STACK_API_URL must be an http or https address without user and query')
  const isLocal = isLoopback(parsed.hostname)
  const projectId = read('projectId') ?? (isLocal ? localProject.projectId : undefined)
  if (projectId === undefined) throw new Error(`the project at ${url} is not named: set STACK_PROJECT_ID`)
  const [adminKey, serverKey] = [read('adminKey'), read('serverKey')]
  const access = adminKey !== undefined || (serverKey === undefined && isLocal) ? 'admin' : 'server'
  const key = access === 'admin' ? (adminKey ?? localKeys.superSecretAdminKey) : serverKey
  if (key === undefined)
    throw new Error(`the key of the project is missing: set STACK_SUPER_SECRET_ADMIN_KEY, or STACK_SECRET_SERVER_KEY`)
  if (access === 'server' && level !== 'branch')
    throw new Error(`a server key gives access to the level branch only: set STACK_SUPER_SECRET_ADMIN_KEY for ${level}`)
  const headers = {
    'content-type': 'application/json',
    'x-stack-project-id': projectId,
    'x-stack-access-type': access,
    [access === 'admin' ? 'x-stack-super-secret-admin-key' : 'x-stack-secret-server-key']: key,
  }
  return {
    url,
    access,
    async ask(method, level, body, secrets = []) {
      const path = `/internal/config/override/${level}`
      const answer = await send(`${url}/api/v1${path}`, { method, headers, redirect: 'error' }, body, key)
      const { text, status } = answer
      if (status >= 200 && status < 300) return text
      if (status === 404 && answer.code === null)
        throw new Error(`${url} has no configuration of projects: it is a release before 2026, or no platform`)
      const reason = [key, ...secrets]
        .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
        .slice(0, 1000)
      throw new Error(
        `${method} ${path} at ${url} was refused with status ${status}: ${printable(reason)}${hint(answer.code)}`,
      )
    },
  }
}

async function send(url: string, init: RequestInit, body: object | undefined, key: string) {
  try {
    const response = await fetch(url, { ...init, ...(body && { body: JSON.stringify(body) }) })
    return { status: response.status, text: await response.text(), code: response.headers.get('x-stack-known-error') }
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    const { protocol, hostname, origin } = new URL(url)
    const hint = protocol === 'https:' && isLoopback(hostname) ? ' (rxauth dev speaks http)' : ''
    throw new Error(`${origin} cannot be reached: ${printable(reason.replaceAll(key, '[key]'))}${hint}`, {
      cause: error,
    })
  }
}

function hint(code: string | null): string {
  return code !== null && /KEY|AUTHENTICATION|PROJECT_NOT_FOUND/.test(code)
    ? ' (do the project id and the key belong together?)'
    : ''
}
