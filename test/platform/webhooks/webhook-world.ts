import { createServerApp } from 'rxauth/server'
import type { PlatformOptions, WebhookDelivery, WebhookEndpoint } from 'rxauth/platform'
import { ada, grace, world } from '../../world'

export interface Body {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A platform that delivers to a handler, which fails while `fails` is above zero. */
export async function hooked(platform: PlatformOptions = {}) {
  const told: Body[] = []
  const ids: (string | null)[] = []
  const state = { fails: 0 }
  const endpoint: WebhookEndpoint = {
    async handler(request) {
      const got = request
      ids.push(got.headers.get('svix-id'))
      if (state.fails > 0) {
        state.fails--
        return new Response(null, { status: 500 })
      }
      told.push((await got.json()) as Body)
      return undefined
    },
  }
  const one = await world({ platform: { webhooks: [endpoint], seed: { users: [ada, grace] }, ...platform } })
  const deliveries: WebhookDelivery[] = []
  one.platform.webhooks.deliveries$.subscribe(delivery => deliveries.push(delivery))
  const server = createServerApp(one.platform.serverOptions)
  const [adaId = '', graceId = ''] = (await one.settled(server.users$().get())).items.map(({ id }) => id)
  /** The events since the last call. */
  const news = async () => {
    await one.clock.advance(0)
    await one.platform.webhooks.idle()
    return told.splice(0)
  }
  return { ...one, server, told, ids, state, deliveries, news, adaId, graceId }
}

export const typesOf = (bodies: readonly Body[]) => bodies.map(({ type }) => type)
