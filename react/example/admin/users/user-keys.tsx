import type { ReactNode } from 'react'
import { OwnedKeys } from '../api-keys/owned-keys'
import { useProject } from '../project/project-context'

/** The API keys of a user; each can be revoked. */
export function UserKeys({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  return (
    <OwnedKeys
      setting="allowUserApiKeys"
      switchedOff="The project does not let its users have API keys."
      empty="The user has no API keys."
      store={app.userApiKeysOf$({ userId })}
      revoke={apiKeyId => app.revokeUserApiKeyById({ apiKeyId })}
    />
  )
}
