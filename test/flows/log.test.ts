import type { Platform } from 'rxauth/platform'
import { askLocal } from '../platform/console/local-world'
import { mary, realWeb } from '../oauth-web'
import { ada } from '../world'
import { everyWrite } from './every-sample'
import { inTime } from './stage'

type Row = Readonly<Record<string, unknown>>

/** The columns of each table that contain secrets. */
const secretColumns: Readonly<Record<string, readonly string[]>> = {
  keySets: ['secretServerKey', 'superSecretAdminKey'],
  users: ['password', 'totpSecretBase64'],
  refreshTokens: ['id', 'successor'],
  verificationCodes: ['code'],
  cliLogins: ['id', 'loginCode', 'refreshToken', 'anonymousRefreshToken'],
  oauthTokens: ['refreshToken', 'accessToken'],
  authorizationCodes: ['id'],
  apiKeys: ['value'],
  providerGrants: ['id'],
  oauthFlows: ['id', 'innerVerifier', 'state'],
}

/** Passwords of the stage and of the samples. */
const passwords = [ada.password, 'battery staple', 'a mail password', btoa('twenty bytes, secret')]

function secretsIn(platform: Platform): string[] {
  const { shared, projects } = platform.snapshot() as {
    shared: Record<string, Row[]>
    projects: Record<string, Record<string, Row[]>>
  }
  const tables = [shared, ...Object.values(projects)].flatMap(each => Object.entries(each))
  const found = tables.flatMap(([name, rows]) =>
    rows.flatMap(row => (secretColumns[name] ?? []).flatMap(column => row[column] ?? [])),
  )
  return (found as string[]).flatMap(secret => [secret, encodeURIComponent(secret)])
}

async function logOf(platform: Platform): Promise<{ readonly line: string; readonly text: string }[]> {
  const { items } = (await askLocal(platform, 'GET /requests')).body as { items: { id: number; path: string }[] }
  return Promise.all(
    items.map(async ({ id, path }) => {
      const { body } = (await askLocal(platform, `GET /requests/${id}`)) as { body: object }
      return { line: path, text: JSON.stringify(body) }
    }),
  )
}

describe('the log of requests contains no secret of, and a file restores', () => {
  it.each(everyWrite)('%s', async (_, { begin }) => {
    const { stage, prepare, write, dispose } = await begin()
    const { platform } = stage
    await prepare()
    const before = secretsIn(platform)
    await inTime(write())
    const secrets = new Set([...passwords, ...before, ...secretsIn(platform)])
    expect(await leaksOf(platform, secrets)).toEqual([])
    const file = (await askLocal(platform, 'GET /data')).body as unknown
    expect(await askLocal(platform, 'PUT /data', file)).toMatchObject({ status: 200 })
    expect((await askLocal(platform, 'GET /data')).body).toEqual(file)
    dispose()
  })

  it.each(['2.8.18', '2026'] as const)('a sign-in with a provider on %s', async wire => {
    const web = await realWeb(false, {}, wire)
    await web.platform.seed({})
    const tab = web.open()
    const secrets = new Set<string>()
    const collect = () => secretsIn(web.platform).forEach(secret => secrets.add(secret))
    const away = await tab.left(tab.app.signInWithOAuth({ provider: 'github' }))
    collect()
    const back = await web.walk(away, mary)
    collect()
    const app = tab.load(back)
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
    collect()
    expect(secrets.size).toBeGreaterThan(10)
    expect(await leaksOf(web.platform, secrets)).toEqual([])
    await web.close()
  })
})

/** The entries of the log that contain one of the secrets. */
async function leaksOf(platform: Platform, secrets: ReadonlySet<string>) {
  const log = await logOf(platform)
  expect(log.length).toBeGreaterThan(0)
  return log.flatMap(({ line, text }) => {
    const leaked = [...secrets].find(secret => text.includes(secret))
    return leaked === undefined ? [] : [{ line, leaked, text }]
  })
}
