import { Webhook as SvixWebhook } from 'svix'
import { isAuthError } from 'rxauth'
import { verifyWebhook, type VerifyWebhookOptions, type WebhookRequest } from 'rxauth/server'
import { systemClock } from '../../src/core/clock'

export const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

export const body = JSON.stringify({ type: 'team.deleted', data: { id: 'ops' } })

/** Headers as the official library signs them; `clock` is at the machine's time, which is all that it knows. */
export function signed(options: { readonly text?: string; readonly secret?: string; readonly at?: Date } = {}) {
  const { text = body, secret: key = secret, at = new Date(systemClock.now()) } = options
  const id = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': new SvixWebhook(key).sign(id, at, text) }
}

export function post(headers: Readonly<Record<string, string>>, text = body): Request {
  return new Request('https://app.example.com/hook', { method: 'POST', headers, body: text })
}

export async function outcomeOf(request: WebhookRequest, options?: VerifyWebhookOptions): Promise<string> {
  try {
    return (await verifyWebhook(request, secret, options)).type
  } catch (error) {
    if (isAuthError(error, 'WEBHOOK_REJECTED')) return error.details.reason
    return isAuthError(error) ? error.code : String(error)
  }
}
