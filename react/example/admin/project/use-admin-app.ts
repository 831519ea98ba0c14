import { useMemo, useSyncExternalStore } from 'react'
import type { ClientApp } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import type { AdminApp } from 'rxauth/admin'
import { useApp } from 'rxauth/react'
import { refreshOn } from '../owner'
import { follow } from './follow'

/** A kit that runs the project with the rights of the signed-in user, as long as the component is mounted; null before. */
export function useAdminApp(projectId: string): AdminApp | null {
  const owner = useApp()
  const { listen, read } = useMemo(() => life(owner, projectId), [owner, projectId])
  return useSyncExternalStore(listen, read)
}

/** Made when the component mounts, which a render alone may never do; in strict mode once more. */
function life(owner: ClientApp, projectId: string) {
  let app: AdminApp | null = null
  return {
    read: () => app,
    listen: (tell: () => void) => {
      app = createAdminApp({ owner, projectId, refreshOn })
      const leave = follow(app, projectId)
      tell()
      return () => {
        leave()
        app?.dispose()
        app = null
      }
    },
  }
}
