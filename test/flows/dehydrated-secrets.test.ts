import { dehydrate, type Kit, type LocalCode, type Store } from 'rxauth'
import type { RequestApp } from 'rxauth/server'
import { ada } from '../world'
import { everyStore, type Watched } from './every-store'
import { inTime, opsId, serverStage, valuesOf, type Stage } from './stage'

const marks = { user: 'server-mark-of-a-user', team: 'server-mark-of-a-team' }

/** A platform with secrets of every kind, and the texts that must be in no page. */
async function secretStage(wire: '2.8.18' | '2026') {
  const stage = await serverStage(ada.email, wire)
  const { app, platform, ids } = stage
  const key = await inTime(app.createUserApiKey({ description: 'mine' }))
  const teamKey = await inTime(app.createTeamApiKey({ teamId: opsId, description: 'ours' }))
  await inTime(app.updateUserById({ userId: ids.ada, serverMetadata: { note: marks.user } }))
  await inTime(app.updateUserById({ userId: ids.grace, serverMetadata: { note: marks.user } }))
  await inTime(app.updateTeamById({ teamId: opsId, serverMetadata: { note: marks.team } }))
  const enrolment = await inTime(app.startTotpEnrolment())
  const secrets: Readonly<Record<string, string | null | undefined>> = {
    ...marks,
    ...(await inTime(app.accessToken().then(() => app.tokens$.value))),
    serverKey: platform.serverOptions.secretServerKey,
    adminKey: platform.adminOptions.superSecretAdminKey,
    userKey: key.value,
    teamKey: teamKey.value,
    totp: enrolment.base32,
    password: ada.password,
    mailPassword: 'a mail password',
  }
  return { ...stage, secrets }
}

/** The names of the secrets in the text. */
const found = (text: string, secrets: Readonly<Record<string, string | null | undefined>>) =>
  Object.entries(secrets).flatMap(([name, secret]) => (secret && text.includes(secret) ? [name] : []))

const stores = (stage: Stage<RequestApp>): Watched[] => everyStore('client', valuesOf(stage))

describe.each(['2.8.18', '2026'] as const)('what dehydrate writes on a platform of %s', wire => {
  // Promise: state-without-secrets
  it('has no token, no key, no password and no server field, for any store of a client', async () => {
    const { secrets, ...stage } = await secretStage(wire)
    const { app } = stage
    for (const [name, secret] of Object.entries(secrets)) expect([name, typeof secret]).toEqual([name, 'string'])
    // This test would see them.
    expect(found(JSON.stringify(await inTime(app.userById$({ userId: stage.ids.ada }).get())), secrets)).toEqual([
      'user',
    ])
    let written = 0
    for (const { name, open } of stores(stage)) {
      const store = open(app)
      const text = JSON.stringify(await inTime(dehydrate(app, [store])))
      expect([name, found(text, secrets)]).toEqual([name, []])
      written += text.length
    }
    expect(written).toBeGreaterThan(10_000)
    const all = await inTime(
      dehydrate(
        app,
        stores(stage).map(({ open }) => open(app)),
      ),
    )
    expect(found(JSON.stringify(all), secrets)).toEqual([])
    stage.app.dispose()
  })

  // Promise: state-without-secrets
  it('has the stores that were asked for, and no other, though the app has them all', async () => {
    const { secrets: _, ...stage } = await secretStage(wire)
    const { app } = stage
    const opened = stores(stage).map(({ open }) => open(app) as Store<unknown> & { name: string; args?: object })
    for (const store of opened) store.subscribe({ error: () => undefined })
    await inTime(Promise.allSettled(opened.map(store => store.get())))
    for (const [index, store] of opened.entries()) {
      const pair = [store, opened[(index * 7 + 3) % opened.length]!]
      const { cells } = await inTime(dehydrate(app, pair))
      const asked = new Set(pair.map(each => each.name))
      expect(Object.keys(cells).filter(key => ![...asked].some(name => key.startsWith(`${name} {`)))).toEqual([])
      expect(Object.keys(cells).length).toBeLessThanOrEqual(2)
    }
    stage.app.dispose()
  })

  // Promise: state-without-secrets
  it('is refused for every store of a server', async () => {
    const { app, ...stage } = await serverStage(ada.email, wire)
    const own = new Set(everyStore('client', valuesOf({ ...stage })).map(({ name }) => name))
    const above = everyStore('server', valuesOf({ ...stage })).filter(({ name }) => !own.has(name))
    expect(above.length).toBeGreaterThan(30)
    const codes = new Map<string, LocalCode | 'written'>()
    for (const { name, open } of above)
      codes.set(
        name,
        await inTime(
          dehydrate(app, [open(app as Kit)]).then(
            () => 'written' as const,
            (error: unknown) => (error as { code: LocalCode }).code,
          ),
        ),
      )
    expect([...codes].filter(([, code]) => code !== 'INVALID_INPUT')).toEqual([])
    app.dispose()
  })
})
