import { useEffect, useState, type ReactNode } from 'react'
import { useWords } from '../words/use-words'

/** Set the number of providers for your own project here. */
const expectedProviders = ['github', 'google']

/** As high as this project's sign-in form, so that the layout does not move. */
export function SignInShape(): ReactNode {
  const hasDialog = useHasDialog()
  return (
    <Shape isFirst={hasDialog}>
      <div className="auth-stack">
        <Field />
        <div className="auth-skeleton" />
      </div>
      <div className="auth-stack snug">
        <div className="auth-skeleton" />
        <div className="auth-skeleton" />
      </div>
    </Shape>
  )
}

/** As high as the sign-up form. */
export function SignUpShape(): ReactNode {
  return (
    <Shape>
      <div className="auth-stack">
        <Field />
        <Field isDescribed />
        <div className="auth-skeleton" />
      </div>
      <div className="auth-skeleton" />
    </Shape>
  )
}

interface ShapeProps {
  /** A button comes before all others. */
  readonly isFirst?: boolean
  readonly children: ReactNode
}

function Shape({ isFirst = false, children }: ShapeProps): ReactNode {
  const { ui } = useWords()
  return (
    <div className="auth-stack loose" role="status" aria-busy="true" aria-label={ui.loading}>
      {isFirst && <div className="auth-skeleton" />}
      <div className="auth-stack snug">
        {expectedProviders.map(id => (
          <div key={id} className="auth-skeleton" />
        ))}
      </div>
      <p className="or">{ui.or}</p>
      {children}
    </div>
  )
}

interface BrowserOfPasskeys {
  readonly PublicKeyCredential?: { getClientCapabilities?(): Promise<Readonly<Record<string, boolean>>> }
}

/** Whether the browser has a dialog for saved sign-ins, whose button comes first. */
function useHasDialog(): boolean {
  const [hasDialog, setHasDialog] = useState(false)
  useEffect(() => {
    const { PublicKeyCredential: browser }: BrowserOfPasskeys = globalThis
    browser?.getClientCapabilities?.().then(
      can => setHasDialog(can['immediateGet'] === true),
      () => undefined,
    )
  }, [])
  return hasDialog
}

function Field({ isDescribed = false }: { readonly isDescribed?: boolean }): ReactNode {
  return (
    <div className="auth-stack tight">
      <div className="auth-skeleton" style={{ height: 21, width: 110 }} />
      {isDescribed && <div className="auth-skeleton" style={{ height: 20, width: 150 }} />}
      <div className="auth-skeleton" />
    </div>
  )
}
