import type { ReactNode } from 'react'
import { cookieTokens, createClientApp } from 'rxauth'
import type { Tokens, TokenStore } from 'rxauth'
import { useAction } from 'rxauth/react'
import { platformUrl } from '../../app/auth'
import { Button } from '../../ui/button'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { DialogButton } from '../../ui/dialog-button'
import { useProject } from '../project/project-context'

interface Props {
  readonly userId: string
  readonly name: string
}

/** Long enough to look at a problem. */
const expiresInMillis = 2 * 3_600_000

/** Opens the product as the user, in a session that is marked as impersonation. */
export function Impersonation({ userId, name }: Props): ReactNode {
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

function ImpersonationSteps({ userId, name, onClose }: Props & { readonly onClose: () => void }): ReactNode {
  const { app } = useProject()
  const start = useAction(async () => {
    const result = await app.createSession({ userId, expiresInMillis, isImpersonation: true })
    if (result.ok) await signProductIn(result.value)
    return result
  })
  if (start.status === 'done')
    return (
      <>
        <p role="status">The product is signed in as {name} in this browser.</p>
        <div className="auth-row end">
          <Button kind="plain" onClick={onClose}>
            Close
          </Button>
          <a className="auth-button primary" href="/" target="_blank" rel="noreferrer" onClick={onClose}>
            Open the product
          </a>
        </div>
      </>
    )
  return (
    <>
      <p>
        The product in this browser will be signed in as {name}, and the user who is signed in there now will be signed
        out. Everything that you do there is done as {name}.
      </p>
      <Problem of={start} />
      <div className="auth-row end">
        <Button kind="plain" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button does={start}>Impersonate</Button>
      </div>
    </>
  )
}

/** Writes tokens into the product's token store. Its open pages notice at once. */
async function signProductIn(tokens: Tokens): Promise<void> {
  const cookies = cookieTokens()
  let store: TokenStore | undefined
  // The cookies' names contain the project's id, which this kit knows.
  const product = createClientApp({
    baseUrl: platformUrl,
    projectId: import.meta.env.VITE_PROJECT_ID,
    publishableClientKey: import.meta.env.VITE_PUBLISHABLE_CLIENT_KEY,
    tokens: context => (store = typeof cookies === 'function' ? cookies(context) : cookies),
  })
  try {
    const isKept = await store?.replace(await store.read(), tokens)
    if (isKept !== true) throw new Error('the browser does not keep the cookies of the product')
  } finally {
    product.dispose()
  }
}
