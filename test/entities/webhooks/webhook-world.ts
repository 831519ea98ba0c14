import { verifyWebhook, type RequestApp, type WebhookEvent } from 'rxauth/server'
import type { Webhook } from 'rxauth/platform'
import { ada } from '../../world'
import { everyStore, shownBy, type Shown, type Watched } from '../../flows/every-store'
import { clock, serverStage, valuesOf, type Stage } from '../../flows/stage'

export interface Scene {
  readonly stage: Stage<RequestApp>
  /** Another process of the same backend. */
  readonly other: RequestApp
  readonly shown: Map<Watched, Shown>
  readonly stores: readonly Watched[]
  /** The events since the last call, as the other process gets them. */
  events(): Promise<readonly WebhookEvent[]>
}

export async function scene(stores?: (each: Watched) => boolean): Promise<Scene> {
  const stage = await serverStage(ada.email)
  const arrived: Webhook[] = []
  stage.platform.webhooks$.subscribe(webhook => arrived.push(webhook))
  const other = stage.fresh()
  const shown = new Map<Watched, Shown>()
  const watched = everyStore('server', valuesOf(stage)).filter(each => stores?.(each) ?? true)
  for (const each of watched) each.open(other).snapshot$.subscribe(snapshot => shown.set(each, shownBy(snapshot)))
  await clock.advance(1000)
  return {
    stage,
    other,
    shown,
    stores: watched,
    async events() {
      await clock.advance(0)
      await stage.platform.webhooks.idle()
      const { secret } = stage.platform.webhooks
      return Promise.all(arrived.splice(0).map(({ request }) => verifyWebhook(request, secret, { clock })))
    },
  }
}
