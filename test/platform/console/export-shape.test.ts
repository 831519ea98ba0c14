import { ada, wireWorld } from '../wire-world'
import { askLocal, listenTo, signUp } from './local-world'

describe('the export of a platform', () => {
  it('is exported as a file and imported into another platform', async () => {
    const { platform, ask } = wireWorld()
    const file = await askLocal(platform, 'GET /data')
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]+-2026-01-01\.json"$/)
    expect(file.body).toEqual(JSON.parse(JSON.stringify(platform.snapshot())))
    await ask('POST /auth/password/sign-up', signUp('later@example.com'))
    const events = await listenTo(platform)
    expect((await askLocal(platform, 'PUT /data', file.body)).status).toBe(200)
    expect(await events.until('restored')).toEqual({ type: 'restored' })
    await expect(platform.tokensFor('later@example.com')).rejects.toThrow('there is no user')
    const other = wireWorld({ seed: {} }).platform
    await askLocal(other, 'PUT /data', file.body)
    await expect(other.tokensFor(ada.email)).resolves.toBeDefined()
  })
})

describe('an edited export', () => {
  const own = '10ca1de7-0000-4000-8000-000000000001'
  const noExport = 'is no export of a local platform:'

  /** Sets what is at this path; undefined deletes it. */
  function change(file: object, path: readonly (string | number)[], value: unknown): void {
    const [last = '', ...before] = [...path].reverse()
    const place = before.reverse().reduce<object>((at, key) => at[key as keyof typeof at], file)
    if (value === undefined) Reflect.deleteProperty(place, last)
    else Reflect.set(place, last, value)
  }

  it.each<[path: readonly (string | number)[], value: unknown, error: string]>([
    [['shared', 'projects', 0, 'config'], null, `${noExport} shared.projects.0.config is not Object.`],
    [
      ['shared', 'projects', 0, 'config', 'environment'],
      undefined,
      `${noExport} shared.projects.0.config.environment is missing.`,
    ],
    [
      ['shared', 'projects', 1, 'id'],
      'other',
      `has no project "internal", which this platform needs; it has ${own}, other.`,
    ],
    [['projects'], {}, `has no project "${own}", which this platform needs; it has ${own}, internal.`],
    [['projects', own, 'users', 0], { id: 'x' }, `${noExport} projects.${own}.users.0.displayName is missing.`],
    [['projects', own, 'users', 0, 'password'], 5, `${noExport} projects.${own}.users.0.password is not string.`],
    [['projects', own, 'users'], [], `${noExport} projects.${own}.contactChannels.0.userId names nothing in users.`],
    [['shared', 'mails'], undefined, `${noExport} shared.mails is missing.`],
    [['shared', 'signingKeys'], 'none', `${noExport} shared.signingKeys is not Array.`],
  ])('is refused as a whole with %j as %j', async (path, value, error) => {
    const { platform, ask } = wireWorld()
    const { body } = await askLocal(platform, 'GET /data')
    const events = await listenTo(platform)
    await events.next()
    const file = structuredClone(body) as object
    change(file, path, value)
    const answer = await askLocal(platform, 'PUT /data', file)
    expect([answer.status, answer.body]).toEqual([400, { error: `This file ${error}` }])
    expect((await askLocal(platform, 'GET /data')).body).toEqual(body)
    expect((await ask('GET /projects/current')).status).toBe(200)
    // The first event is that of its own request.
    expect((await events.next())?.type).toBe('request')
    await events.close()
  })

  it('may have no rows of a newer table of projects, and rows without newer columns', async () => {
    const { platform } = wireWorld()
    const { body } = await askLocal(platform, 'GET /data')
    change(body as object, ['projects', own, 'emailOutbox'], undefined)
    for (const column of ['restrictedByAdminReason', 'restrictedByAdminPrivateDetails', 'countryCode', 'riskScores'])
      change(body as object, ['projects', own, 'users', 0, column], undefined)
    expect((await askLocal(platform, 'PUT /data', body)).status).toBe(200)
  })
})
