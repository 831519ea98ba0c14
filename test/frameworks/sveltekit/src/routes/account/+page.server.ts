import { redirect } from '@sveltejs/kit'
import type { RequestEvent } from '@sveltejs/kit'
import { asUser, guard } from '../../hooks.server'

export async function load(event: RequestEvent) {
  const user = await guard(event, { signedIn: true })
  return { name: user.displayName ?? user.primaryEmail, teams: asUser(event, own => own.teams$.get()) }
}

export const actions = {
  async default(event: RequestEvent) {
    await asUser(event, own => own.signOut())
    redirect(303, '/')
  },
}
