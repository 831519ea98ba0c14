import { fromBase64Url } from '../../core/encoding'
import { bareReply } from '../http/reply'
import type { Reply } from '../http/reply'
import { isBase64Image } from '../model/limits'
import type { OpenEngine } from '../model/engine'
import type { ProjectRow } from '../model/projects'

const names = ['logoUrl', 'logoFullUrl', 'logoDarkModeUrl', 'logoFullDarkModeUrl'] as const

type Logos = Record<(typeof names)[number], string | null>

/** The addresses of a project's logos. One that was sent as a data URL is a file of the platform. */
export function logosOf(project: ProjectRow, origin: string): Logos {
  const addressOf = (name: keyof Logos) => {
    const url = project[name] ?? null
    return url !== null && isBase64Image(url) ? fileOf(project, name, origin) : url
  }
  return Object.fromEntries(names.map(name => [name, addressOf(name)])) as Logos
}

/** Whether the address is the one of the logo's own file, which a caller sends back unchanged. */
export function isOwnFile(project: ProjectRow, name: string, url: unknown): boolean {
  return typeof url === 'string' && url.endsWith(fileOf(project, name, ''))
}

function fileOf({ id }: ProjectRow, name: string, origin: string): string {
  return `${origin}/files/${encodeURIComponent(id)}/${name}`
}

/** The file of a logo. */
export function logoFile({ database }: OpenEngine, path: string): Reply {
  const project = database.projects.rows().find(row => names.some(name => fileOf(row, name, '') === path))
  const name = names.find(each => path.endsWith(`/${each}`)) ?? 'logoUrl'
  const [, type = '', data = ''] = /^data:([^;]+);base64,(.*)$/.exec(project?.[name] ?? '') ?? []
  if (type === '') return bareReply(404)
  return { ...bareReply(200, { 'content-type': type, 'cache-control': 'no-cache' }), body: fromBase64Url(data) }
}
