import { createAdminApp } from 'rxauth/admin'
import type { PlatformOptions } from 'rxauth/platform'
import { world } from '../world'

/** A platform and an admin app of its project. */
export async function adminWorld(platform?: PlatformOptions) {
  const one = await world({ ...(platform && { platform }) })
  /** Of every PATCH. */
  const bodies: unknown[] = []
  const { fetch } = one.platform.options
  const admin = createAdminApp({
    ...one.platform.adminOptions,
    fetch(input, init) {
      if (init?.method === 'PATCH') bodies.push(JSON.parse(init.body as string))
      return fetch(input, init)
    },
  })
  /** An admin app that has loaded nothing yet. */
  const fresh = () => createAdminApp(one.platform.adminOptions)
  return { ...one, admin, bodies, fresh }
}
