// check run-code-when-user-signs-up
platform.webhooks.add({ handler: request => copyUser(request) })
const grace = await server.createUser({ primaryEmail: 'grace@example.com' })
await platform.webhooks.idle()
// → welcome grace@example.com
if (!grace.ok) throw grace.error
rows.get(grace.value.id) // → { email: 'grace@example.com' }
await server.deleteUserById({ userId: grace.value.id })
await platform.webhooks.idle()
rows.has(grace.value.id) // → false

// check keep-server-processes-fresh
platform.webhooks.add({ handler: request => keepFresh(request) })
const [ada] = (await server.users$().get()).items
const name$ = server.userById$({ userId: ada!.id })
const shown = name$.subscribe({
  next: user => console.log('shown:', user?.displayName),
  error: console.error,
})
await name$.get()
// → shown: null
const otherProcess = createServerApp()
await otherProcess.updateUserById({ userId: ada!.id, displayName: 'Countess' })
await platform.webhooks.idle()
// → shown: Countess
shown.unsubscribe()

// set-up hand-an-event-on
class EventSource {
  onmessage?: (event: { readonly data: string }) => unknown
  constructor(_url: string) {
    pages.add(data => this.onmessage?.({ data }))
  }
}

// check hand-an-event-on
import { createAdminApp } from 'rxauth/admin'

platform.webhooks.add({ handler: request => handOn(request) })
const admin = createAdminApp()
listen(admin)
const counts = admin.metrics$.subscribe({ next: ({ totalUsers }) => console.log(totalUsers), error: console.error })
await admin.metrics$.get()
// → 1
const two = new Promise<void>(resolve => {
  admin.metrics$.subscribe({ next: ({ totalUsers }) => totalUsers === 2 && resolve(), error: console.error })
})
await otherProcess.createUser({ primaryEmail: 'grace@example.com' })
await platform.webhooks.idle()
await two
// → welcome grace@example.com
// → 2
counts.unsubscribe()

// check on-the-local-platform
platform.webhooks.deliveries$.subscribe(({ type, attempt, status, isDelivered, nextAt }) => {
  if (!isDelivered) console.log(type, attempt, status, nextAt ? 'again later' : 'given up')
})
const remove = platform.webhooks.add({ handler: () => new Response(null, { status: 500 }) })
await otherProcess.createTeamById({ displayName: 'Ops' })
await platform.webhooks.idle()
// → team.created 1 500 again later
remove()
