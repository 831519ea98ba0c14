import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { ApiKeys } from '../../api-keys/api-keys'
import { useWords } from '../../words/use-words'

/** Keys for programs that act as the user. */
export function UserApiKeys(): ReactNode {
  const app = useApp()
  return (
    <ApiKeys
      setting="allowUserApiKeys"
      description={useWords().account.apiKeys.text}
      mayManage
      keys={{
        store: app.userApiKeys$,
        create: app.createUserApiKey,
        rename: (apiKeyId, description) => app.updateUserApiKey({ apiKeyId, description }),
        revoke: apiKeyId => app.revokeUserApiKey({ apiKeyId }),
      }}
    />
  )
}
