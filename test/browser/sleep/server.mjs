// The page of the scenarios at every address, and the backend that it calls: one check by rxauth, one by jose alone.
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tokenVerifier } from 'rxauth/server'

const { PORT, PLATFORM_URL: baseUrl, PROJECT_ID: projectId } = process.env
const script = readFileSync(new URL('page.js', import.meta.url))
const html = '<!doctype html><title>sleep</title><h1></h1><script type="module" src="/page.js"></script>'
const verify = tokenVerifier({ baseUrl, projectId })
const keys = createRemoteJWKSet(new URL(`${baseUrl}/api/v1/projects/${projectId}/.well-known/jwks.json`))

async function byJose({ headers }) {
  const token = headers.authorization?.replace('Bearer ', '') ?? ''
  return jwtVerify(token, keys, { audience: projectId }).then(
    ({ payload }) => payload.sub,
    error => error.code,
  )
}

async function byKit(request) {
  const { user, refusal } = await verify.request(request)
  return user ? user.userId : (await refusal.json()).code
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost')
  if (pathname !== '/api')
    return pathname === '/page.js'
      ? response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
      : response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  const said = { kit: await byKit(request), jose: await byJose(request), now: Date.now() }
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
}

createServer((request, response) => void answer(request, response)).listen(Number(PORT))
