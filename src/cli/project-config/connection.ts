import { hostedBaseUrl, localKeys, localProject } from '../../core/defaults'
import { withoutEnding } from '../../core/urls'
import { differenceOf, isSet, setting } from '../../errors/setting'
import type { Variable } from '../../errors/setting'
import type { ConfigLevel } from '../../entities/config/shape'
import { printable } from '../terminal'
import type { Terminal } from '../terminal'
import { isLoopback, variableNames } from '../banner'

/** The project whose configuration is read and written. */
export interface ConfigConnection {
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
