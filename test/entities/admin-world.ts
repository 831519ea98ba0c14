import { createAdminApp } from 'rxauth/admin'
import { world } from '../world'

export async function adminWorld() {
  const one = await world()
  return { ...one, admin: createAdminApp(one.platform.adminOptions) }
}
