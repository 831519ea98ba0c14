import type { RequestEvent } from '@sveltejs/kit'
import { dehydrate } from 'rxauth'
import { asUser } from '../hooks.server'

export const load = async (event: RequestEvent) => ({
  state: await asUser(event, own => dehydrate(own, [own.user$])),
})
