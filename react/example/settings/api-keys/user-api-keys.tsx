import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { ApiKeys } from '../../api-keys/api-keys'

/** Keys for programs that act as the user. */
export function UserApiKeys(): ReactNode {
  const app = useApp()
  return (
    <ApiKeys
      setting="allowUserApiKeys"
      description="Programs use API keys to act on your behalf."
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
