import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bareReply, textType, toResponse } from '../http/reply'

/** The folder of the console in the built package, beside that of this file. */
const builtFolder = fileURLToPath(new URL('../../console', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Scripts are allowed from this origin only, and not inline. Inline styles are allowed, since the mails that
 * its frame shows have them. Pictures of users may have any origin.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: https: http:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Names with a content hash, which may be cached for ever. */
const forEver = /-[\w-]{8}\.(?:js|css)$/

export function isConsolePath(pathname: string): boolean {
  return pathname === '/' || pathname.startsWith('/console/')
}

/**
 * Serves the files of the console: its page at `/`, the rest below `/console/`. Undefined for requests to the platform
 * itself; a strict platform has no console. Only files found at the start are served, by their complete address, so that
 * no address can reach other files.
 */
export function consoleFiles(
  hasConsole: (origin: string) => Promise<boolean>,
  folder = builtFolder,
): (request: Request) => Promise<Response | undefined> {
  let listed: Promise<ReadonlyMap<string, string>> | undefined
  return async request => {
    const { pathname, origin } = new URL(request.url)
    if (!isConsolePath(pathname) || !/^(GET|HEAD)$/.test(request.method)) return undefined
    if (!(await hasConsole(origin))) return undefined
    listed ??= filesIn(folder)
    const path = (await listed).get(pathname === '/' ? '/index.html' : pathname)
    if (path !== undefined) return fileReply(request, pathname, path)
    const reason = pathname === '/' ? 'The console has not been built: npm run build.' : 'The console has no such file.'
    return toResponse({ ...bareReply(404, { 'content-type': textType }, reason), isPage: true }, request)
  }
}

async function fileReply(request: Request, pathname: string, path: string): Promise<Response> {
  const content = await readFile(path)
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
  const own = {
    ...headers,
    etag,
    'cache-control': forEver.test(pathname) ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers: own })
  return new Response(request.method === 'HEAD' ? null : content, {
    headers: { ...own, 'content-type': types[extname(path)] ?? 'application/octet-stream' },
  })
}

/** The files by address; none if the folder does not exist, since sources have no built console. */
async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return new Map(files.map(path => [path.slice(folder.length).split(sep).join('/'), path]))
}
