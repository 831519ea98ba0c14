import type { RequestEvent } from '@sveltejs/kit'
import { guard } from '../../lib/server/auth'

export async function load(event: RequestEvent) {
  await guard(event, { signedIn: true, can: 'read_reports' })
}
