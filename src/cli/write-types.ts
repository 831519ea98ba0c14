import { mkdirSync, writeFileSync, existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { localKeys, localProject } from '../core/defaults'
import { isSystemPermission } from '../platform-inside'
import { createPlatform } from '../platform'
import type { Where } from './arguments'
import { nameOf } from './config-file'
import { openData, placeOf, runningUrl } from './data-place'
import { firstSeed } from './settings'
import type { Terminal } from './terminal'
import { onFile } from './file-fault'

interface ProjectNames {
  readonly permissions: readonly string[]
  readonly providers: readonly string[]
}

type Ask = (request: Request) => Promise<Response>

/** `rxauth types`: writes the project's permissions and providers as the types that an app registers. */
export async function writeTypes(
  asked: Where & { readonly out: string | undefined },
  terminal: Terminal,
): Promise<number> {
  const { folder } = terminal
  const { project, loaded, place } = await placeOf(asked, terminal)
  const { wire, compatibility = 'local', seed } = loaded.config
  const options = { ...(wire && { wire }), compatibility, seed: firstSeed(loaded.config, compatibility, seed ?? null) }
  const url = asked.data === undefined ? await runningUrl(project) : null
  const named = url === null ? await inProcess() : await namesAt(request => fetch(request), url)
  const file = resolve(folder, asked.out ?? join(project, existsSync(join(project, 'src')) ? 'src' : '', 'rxauth.d.ts'))
  onFile(nameOf(file, folder), 'written', () => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, declarationOf(named))
  })
  const { permissions, providers } = named
  terminal.out(
    `${nameOf(file, folder)} has ${permissions.length} permissions and ${providers.length} providers of ${url ?? 'the project'}.\n`,
  )
  return 0

  /** The names in the data, if there is any; else in its initial seed. */
  async function inProcess(): Promise<ProjectNames> {
    const isThere = place.kind === 'file' && existsSync(place.path)
    const platform = isThere ? (await openData(place, options)).platform : createPlatform(options)
    try {
      return await namesAt(request => platform.fetch(request), platform.options.baseUrl)
    } finally {
      platform.dispose()
    }
  }
}

async function namesAt(ask: Ask, url: string): Promise<ProjectNames> {
  const read = async (path: string): Promise<unknown> => {
    const response = await ask(
      new Request(`${url}/api/v1${path}`, {
        headers: {
          'x-stack-access-type': 'admin',
          'x-stack-project-id': localProject.projectId,
          'x-stack-super-secret-admin-key': localKeys.superSecretAdminKey,
        },
      }),
    )
    if (!response.ok) throw new Error(`${url} has answered ${response.status} to GET ${path}`)
    return response.json()
  }
  // The platform is the one of this package, so the answer has this shape.
  const { config } = (await read('/projects/current')) as { config: { enabled_oauth_providers: { id: string }[] } }
  const lists = await Promise.all(
    ['team', 'project'].map(scope => read(`/${scope}-permission-definitions`) as Promise<{ items: { id: string }[] }>),
  )
  return {
    permissions: lists.flatMap(({ items }) => items.map(({ id }) => id)).filter(id => !isSystemPermission(id)),
    providers: config.enabled_oauth_providers.map(({ id }) => id),
  }
}

function declarationOf({ permissions, providers }: ProjectNames): string {
  return `// Written by \`rxauth types\`: run it again when permissions or providers have changed.
import 'rxauth'

declare module 'rxauth' {
  interface Register {
    permissionId: ${union(permissions)}
    provider: ${union(providers)}
  }
}
`
}

function union(ids: readonly string[]): string {
  return ids.map(id => `'${id.replace(/['\\]/g, '\\$&')}'`).join(' | ') || 'never'
}
