import type { ReactNode } from 'react'
import { accountTokens, cookieTokens, createClientApp, impersonate, type Tokens } from 'rxauth'
import { useAction } from 'rxauth/react'
import { platformUrl } from '../../app/auth'
import { Button } from '../../ui/button'
import { Problem } from '../../ui/alert'
import { Section } from '../../ui/section'
import { DialogButton } from '../../ui/dialog'
import { useProject } from '../project/project-context'
import type { OfUser } from './user-row'

/** Long enough to look at a problem. */
const expiresInMillis = 2 * 3_600_000

/** Opens the product as the user, in a session that is marked as impersonation. */
export function Impersonation({ userId, name }: OfUser): ReactNode {
  const { id } = useProject()
  // This example has no pages of other projects.
  if (id !== import.meta.env.VITE_PROJECT_ID)
    return (
      <Section
        title="Impersonate"
        description={
          <>
            The app of this project cannot be opened from here. Your backend gets the tokens for it from{' '}
            <code>createSession({'{ userId, isImpersonation: true }'})</code>.
          </>
        }
      />
    )
  return (
    <Section
      title="Impersonate"
      description="Use the product as this user, for up to two hours. The session is listed above; the user does not see it."
      action={
        <DialogButton kind="plain" isSmall label="Impersonate" title="Use the product as this user?">
          {close => <ImpersonationSteps userId={userId} name={name} onClose={close} />}
        </DialogButton>
      }
    />
  )
}

function ImpersonationSteps({ userId, name, onClose }: OfUser & { readonly onClose: () => void }): ReactNode {
  const { app } = useProject()
  const start = useAction(async () => {
    const result = await app.createSession({ userId, expiresInMillis, isImpersonation: true })
    if (result.ok) await actAs(result.value)
    return result
  })
  if (start.status === 'done')
    return (
      <>
        <p role="status">The product in this browser acts as {name}.</p>
        <div className="auth-row end">
          <Button label="Close" kind="plain" onClick={onClose} />
          <a className="auth-button primary" href="/" target="_blank" rel="noreferrer" onClick={onClose}>
            Open the product
          </a>
        </div>
      </>
    )
  return (
    <>
      <p>
        Everything that you do in the product in this browser is then done as {name}. The user who is signed in there
        now comes back when you press “Stop” there.
      </p>
      <Problem of={start} />
      <div className="auth-row end">
        <Button label="Cancel" kind="plain" onClick={onClose} data-autofocus />
        <Button label="Impersonate" does={start} />
      </div>
    </>
  )
}

/** The open pages of the product notice at once; the person who is signed in there waits. */
async function actAs(tokens: Tokens): Promise<void> {
  // The names of the product's cookies contain the id of its project.
  const product = createClientApp({
    baseUrl: platformUrl,
    projectId: import.meta.env.VITE_PROJECT_ID,
    publishableClientKey: import.meta.env.VITE_PUBLISHABLE_CLIENT_KEY,
    tokens: accountTokens(cookieTokens()),
  })
  try {
    const { ok } = await impersonate(product, tokens)
    if (!ok) throw new Error('the session has ended already')
  } finally {
    product.dispose()
  }
}
