// Compiled, never run: the data of events, and the kits that accept them.
import type { Kit } from 'rxauth'
import { readWebhook, type AdminApp } from 'rxauth/admin'
import { applyWebhook, verifyWebhook } from 'rxauth/server'
import type { ServerTeam, ServerUser, WebhookEvent, WebhookType } from 'rxauth/server'
import { createPlatform } from 'rxauth/platform'
import type { Equal, Expect } from './equal'

declare const client: Kit
declare const server: Kit<'client' | 'server'>
declare const admin: AdminApp
declare const event: WebhookEvent
declare function take(text: string): void

export type Narrowed = [
  Expect<Equal<WebhookEvent<'user.created'>['data'], ServerUser>>,
  Expect<Equal<WebhookEvent<'team.updated'>['data'], ServerTeam>>,
  Expect<Equal<WebhookEvent<'user.deleted'>['data'], { id: string; teams: { id: string }[] }>>,
  Expect<Equal<WebhookEvent<'unknown'>['data'], unknown>>,
  Expect<Equal<WebhookEvent['type'], WebhookType | 'unknown'>>,
]

// @ts-expect-error before it has been looked at, an event may be any
take(event.data.teamId)
if (event.type === 'team_permission.created') take(event.data.teamId)

void applyWebhook(server, event)
// @ts-expect-error a client kit accepts no events
void applyWebhook(client, event)
// @ts-expect-error unverified data is no event
void applyWebhook(server, { type: 'team.deleted', data: { id: 'ops' } })

void verifyWebhook(new Request('https://app.example.com'), 'whsec_')
void verifyWebhook({ headers: {}, body: new Uint8Array() }, 'whsec_')
// @ts-expect-error a parsed body is not the signed one
void verifyWebhook({ headers: {}, body: { type: 'team.deleted' } }, 'whsec_')

createPlatform({ webhooks: [{ url: 'http://localhost' }, { handler: () => undefined, secret: 'whsec_' }] })
// @ts-expect-error an endpoint is an address or a handler
createPlatform({ webhooks: [{ secret: 'whsec_' }] })

void applyWebhook(server, readWebhook('{}'))
void admin.applyWebhook(readWebhook({}))
