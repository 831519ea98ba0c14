import type { ReactNode } from 'react'
import { OwnedKeys } from '../api-keys/owned-keys'
import { useProject } from '../project/project-context'

/** The API keys of a team; each can be revoked. */
export function TeamKeys({ teamId }: { readonly teamId: string }): ReactNode {
  const { app } = useProject()
  return (
    <OwnedKeys
      setting="allowTeamApiKeys"
      switchedOff="The project does not let its teams have API keys."
      empty="The team has no API keys."
      store={app.teamApiKeysOf$({ teamId })}
      revoke={apiKeyId => app.revokeTeamApiKeyById({ teamId, apiKeyId })}
    />
  )
}
