import type { ReactNode } from 'react'
import { useApp, useCan } from 'rxauth/react'
import { ApiKeys } from '../../api-keys/api-keys'
import type { TeamPageProps } from '../of-team'
import { useWords } from '../../words/use-words'

/** Keys for programs that act for the team. */
export function TeamApiKeys({ team: { id: teamId } }: TeamPageProps): ReactNode {
  const app = useApp()
  const mayManage = useCan({ permissionId: '$manage_api_keys', teamId })
  return (
    <ApiKeys
      setting="allowTeamApiKeys"
      description={useWords().team.apiKeys.text}
      mayManage={mayManage}
      refusal="API_KEY_NOT_FOUND"
      keys={{
        store: app.teamApiKeys$({ teamId }),
        create: key => app.createTeamApiKey({ ...key, teamId }),
        rename: (apiKeyId, description) => app.updateTeamApiKey({ teamId, apiKeyId, description }),
        revoke: apiKeyId => app.revokeTeamApiKey({ teamId, apiKeyId }),
      }}
    />
  )
}
