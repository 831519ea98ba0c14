import type { RequestEvent } from '@sveltejs/kit'
import { asUser } from '../lib/server/auth'
import { dehydrate } from 'rxauth'

export const load = async (event: RequestEvent) => ({
  state: await asUser(event, own => dehydrate(own, [own.user$])),
})
