// set-up live-updates-followchanges
const [ada, grace, eve] = ['ada@example.com', 'grace@example.com', 'eve@example.com'] as const
const opsId = 'b0c1d2e3-1111-4222-8333-444455556666'
const platform = serve({
  seed: {
    users: [ada, grace, eve].map(email => ({ email, password: 'correct horse battery' })),
    teams: [{ id: opsId, displayName: 'Ops', members: [{ email: ada }, { email: grace }] }],
  },
})
process.env['STACK_WEBHOOK_SECRET'] = platform.webhooks.secret

// check on-each-server
import { createClientApp, followChanges, changesFrom } from 'rxauth'
import { Hono } from 'hono'

const listening = backend.listen(0, '127.0.0.1')
await new Promise(resolve => listening.once('listening', resolve))
const address = listening.address()
const api = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
const remove = platform.webhooks.add({ url: `${api}/api/changes` })
const happen = async (change: Promise<unknown>) => {
  await change
  await platform.webhooks.idle()
}
const pageOf = async (email: string) =>
  createClientApp({ ...platform.options, apiOrigins: [api], tokens: await platform.tokensFor(email) })
const page = await pageOf(ada)
const named = (name: string) =>
  new Promise<void>(resolve => page.teams$.subscribe(all => all[0]?.displayName === name && resolve()))
await page.teams$.get()
const stop = followChanges(page, changesFrom(`${api}/api/changes`))
await new Promise(resolve => setTimeout(resolve, 300))
await happen(server.updateTeamById({ teamId: opsId, displayName: 'Operations' }))
await named('Operations')
console.log('Ada’s page shows it')
// → Ada’s page shows it
stop()
remove()

const fastAddress = await fast.listen({ port: 0, host: '127.0.0.1' })
const removeFast = platform.webhooks.add({ url: `${fastAddress}/api/changes` })
const fastPage = await fetch(`${fastAddress}/api/changes`, {
  headers: { authorization: `Bearer ${(await page.accessToken()) ?? ''}` },
})
const fastReader = fastPage.body!.pipeThrough(new TextDecoderStream()).getReader()
await happen(server.updateTeamById({ teamId: opsId, displayName: 'Ops' }))
let fastText = ''
while (!fastText.includes('team.updated')) fastText += (await fastReader.read()).value ?? ''
console.log('Fastify tells it')
// → Fastify tells it
await fastReader.cancel()
removeFast()
fast.server.closeAllConnections()
await fast.close()

const path = '/api/changes'
const hono = new Hono()
hono.post(path, ({ req }) => live.receive(req.raw)).get(path, ({ req }) => live.stream(req.raw))
platform.webhooks.add({ handler: async request => hono.request(new Request(`${api}${path}`, request)) })
const idOf = async (email: string) => (await (await pageOf(email)).user$.get())!.id
const names = new Map([
  [await idOf(ada), 'Ada'],
  [await idOf(grace), 'Grace'],
  [await idOf(eve), 'Eve'],
  [opsId, 'Ops'],
])
const lines: string[] = []
for (const [name, email] of [
  ['Ada', ada],
  ['Grace', grace],
  ['Eve', eve],
] as const) {
  const authorization = `Bearer ${(await (await pageOf(email)).accessToken()) ?? ''}`
  const response = await hono.request(path, { headers: { authorization } })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  void (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      for (const line of next.value.split('\n').filter(each => each.startsWith('data: ') && !each.includes('missed'))) {
        const { type, data } = JSON.parse(line.slice(6)) as { type: string; data: Record<string, string> }
        lines.push(
          `${name}: ${type} ${Object.entries(data)
            .map(([key, id]) => `${key} ${names.get(id) ?? id}`)
            .join(' ')}`,
        )
      }
  })()
}
/** What each page was told, in the order of the names. */
const told = async () => {
  await new Promise(resolve => setTimeout(resolve, 50))
  console.log(lines.splice(0).sort().join('; ') || 'nothing')
}
const [adaId = '', graceId = '', eveId = ''] = [...names.keys()]
const serverMetadata = { secret: 'for servers' }
await happen(server.updateUserById({ userId: adaId, serverMetadata }))
await told()
// → Ada: user.updated id Ada userId Ada; Grace: user.updated id Ada userId Ada
await happen(server.updateUserById({ userId: eveId, serverMetadata }))
await told()
// → Eve: user.updated id Eve userId Eve
await happen(server.removeTeamMemberById({ teamId: opsId, userId: graceId }))
await told()
// → Ada: team_membership.deleted userId Grace teamId Ops; Grace: team_membership.deleted userId Grace teamId Ops
await happen(server.updateTeamById({ teamId: opsId, displayName: 'Ops' }))
await told()
// → Ada: team.updated id Ops teamId Ops
await happen(server.deleteTeamById({ teamId: opsId }))
await told()
// → Ada: team.deleted id Ops teamId Ops
await happen(server.createTeamById({ displayName: 'Lab', creatorUserId: eveId }))
await new Promise(resolve => setTimeout(resolve, 50))
console.log(
  lines
    .splice(0)
    .map(line => line.slice(0, 17))
    .join(),
)
// → Eve: team.created
const stranger = await hono.request(path)
stranger.status // → 401
await happen(server.deleteUserById({ userId: eveId }))
lines.splice(0).filter(line => !line.startsWith('Eve')).length // → 0
live.close()
listening.close()
listening.closeAllConnections()

// check during-development
import { orThrow } from 'rxauth'
import { createServerApp } from 'rxauth/server'

const server = createServerApp()

const [ada] = (await server.users$().get()).items
const { id: labId } = orThrow(await server.createTeamById({ displayName: 'Lab', creatorUserId: ada!.id }))
const seen = new Promise<void>(resolve => app.teams$.subscribe(all => all[0]?.displayName === 'Labs' && resolve()))
await app.teams$.get()
await server.updateTeamById({ teamId: labId, displayName: 'Labs' })
await seen
console.log('told without a backend')
// → told without a backend
app.dispose()
server.dispose()
