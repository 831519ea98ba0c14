import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { isRecord } from '../../../core/is-record'
import type { ConfigAsked } from '../arguments'
import type { Terminal } from '../terminal'
import { connect } from './connection'
import type { Connection } from './connection'
import { differences, nested, secretsIn, secretTextsIn } from './differences'
import type { Json } from './differences'

const defaultFile = 'rxauth.project.json'

/** `rxauth config pull`, `diff` and `push`; resolves to the exit code: 1 where `diff` finds a difference, 2 where it fails (`run`). */
export async function projectConfig(asked: ConfigAsked, terminal: Terminal): Promise<number> {
  const { action, level } = asked
  const file = resolve(terminal.folder, asked.file ?? defaultFile)
  const name = relative(terminal.folder, file) || file
  // Before a request: an unreadable file must not look like one of the platform.
  const own = action === 'pull' ? null : read(file, name)
  const connection = connect(terminal, level)
  const present = await presentAt(connection)
  const where = `the level ${level} at ${connection.url}`
  if (own === null) {
    replace(file, `${JSON.stringify(nested(present), null, 2)}\n`)
    terminal.out(`${name} has what ${where} says.\n`)
    warn(present, name, terminal)
    return 0
  }
  const lines = differences(present, own)
  for (const line of lines) terminal.out(`${line}\n`)
  if (action === 'diff' || asked.isDryRun) {
    if (lines.length === 0) terminal.out(`${name} is what ${where} says.\n`)
    if (asked.isDryRun) terminal.out(`A push would change ${counted(lines)}.\n`)
    return action === 'diff' && lines.length > 0 ? 1 : 0
  }
  const source = level === 'branch' ? { source: sourceOf(file, terminal) } : {}
  await connection.ask('PUT', { config_string: JSON.stringify(own), ...source }, secretTextsIn(own))
  terminal.out(`${name} is pushed to ${where}: ${counted(lines)} changed.\n`)
  return 0
}

/** Replaces the file at once by one that its owner alone can read, as it may have secrets. */
function replace(file: string, text: string): void {
  const target = existsSync(file) ? realpathSync(file) : file
  const fresh = `${target}.${crypto.randomUUID()}`
  try {
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

function counted({ length }: readonly string[]): string {
  return length === 0 ? 'nothing' : `${length} ${length === 1 ? 'value' : 'values'}`
}

function warn(config: Json, name: string, terminal: Terminal): void {
  const secrets = secretsIn(config)
  if (secrets.length > 0)
    terminal.err(`rxauth: ${name} has secrets (${secrets.join(', ')}): keep it out of version control\n`)
}

function read(file: string, name: string): Json {
  if (!existsSync(file)) throw new Error(`there is no configuration at ${name}: rxauth config pull writes it`)
  let config: unknown
  try {
    config = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    // The message of the parser quotes the file, which may have secrets.
    throw new Error(`${name} is not valid JSON`, { cause: error })
  }
  if (isRecord(config)) return config
  throw new Error(`${name} must have an object`)
}

async function presentAt(connection: Connection): Promise<Json> {
  try {
    const { config_string: text } = JSON.parse(await connection.ask('GET')) as { readonly config_string: string }
    const config: unknown = JSON.parse(text)
    if (isRecord(config)) return config
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Error(
    `${connection.url} answers something else than a configuration: is STACK_API_URL the address of the platform?`,
  )
}

/** Where the file comes from: the commit of a workflow on GitHub, or unknown. */
function sourceOf(file: string, { environment, folder }: Terminal) {
  const { GITHUB_REPOSITORY = '', GITHUB_REF_NAME: branch, GITHUB_SHA: commit, GITHUB_WORKSPACE } = environment
  const [owner, repo, ...more] = GITHUB_REPOSITORY.split('/')
  if (!owner || !repo || more.length > 0 || !branch || !commit) return { type: 'pushed-from-unknown' }
  const path = relative(GITHUB_WORKSPACE ?? folder, file)
    .split(sep)
    .join('/')
  return { type: 'pushed-from-github', owner, repo, branch, commit_hash: commit, config_file_path: path }
}
