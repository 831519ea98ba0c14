import { createWebhookToken } from '../../entities/webhooks/admin'
import { randomText } from '../model/random-text'
import { serve } from '../http/serve'

/** 38 characters, as on the hosted platform. */
const tokenBits = 190

/** The local platform has no webhook portal to check the token. */
export const webhookTokenRoutes = [
  serve(createWebhookToken, { body: {}, status: 201 }, () => ({ token: randomText(tokenBits) })),
]
