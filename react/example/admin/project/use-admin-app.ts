import { useMemo, useSyncExternalStore } from 'react'
import type { ClientApp } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import type { AdminApp } from 'rxauth/admin'
import { useApp } from 'rxauth/react'
import { refreshOn } from '../owner'
import { follow } from './follow'

/** A kit for the project with the signed-in user's rights, while the component is mounted; null before. */
export function useAdminApp(projectId: string): AdminApp | null {
  const owner = useApp()
  const { listen, read } = useMemo(() => life(owner, projectId), [owner, projectId])
  return useSyncExternalStore(listen, read)
}

/** Created on mount and not during a render; twice in strict mode. */
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
