import { EyeIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { endImpersonation, impersonation$ } from 'rxauth'
import { useAction, useApp, useAuth, useStore } from 'rxauth/react'
import { Alert, Problem } from '../ui/alert'
import { Button } from '../ui/button'
import { useWords } from '../words/use-words'

/** Says that the page acts as another user, for an app with `accountTokens`, and ends that; nothing otherwise. */
export function ImpersonationBar(): ReactNode {
  const { shell: words } = useWords()
  const app = useApp()
  const auth = useAuth()
  const impersonation = useStore(impersonation$(app))
  const stop = useAction(() => endImpersonation(app))
  if (impersonation.status !== 'ready' || !impersonation.value || !('user' in auth)) return null
  const { displayName, primaryEmail } = auth.user
  return (
    <div className="auth contents">
      {/* In sight wherever the page is scrolled to. */}
      <div
        className="auth-stack"
        style={{ position: 'sticky', bottom: 8, width: 'fit-content', margin: '0 auto 8px', zIndex: 1 }}
      >
        <Alert
          kind="warning"
          role="status"
          icon={<EyeIcon />}
          action={<Button label={words.stopActing} kind="plain" isSmall does={stop} />}
        >
          {words.actingAs(displayName ?? primaryEmail ?? words.noName)}
        </Alert>
        <Problem of={stop} />
      </div>
    </div>
  )
}
