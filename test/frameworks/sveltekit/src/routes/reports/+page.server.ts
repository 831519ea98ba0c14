import type { RequestEvent } from '@sveltejs/kit'
import { guard } from '../../hooks.server'

export async function load(event: RequestEvent) {
  await guard(event, { signedIn: true, can: 'read_reports' })
}
