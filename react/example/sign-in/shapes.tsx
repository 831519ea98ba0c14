import { useEffect, useState, type ReactNode } from 'react'
import { useWords } from '../words/use-words'

/** Set the number of providers of your own project here. */
const expectedProviders = 2

/** As high as this project's sign-in form, so that the layout does not move. */
export function SignInShape(): ReactNode {
  return <Shape isFirst={useHasDialog()} hints={[false]} last={2} />
}

/** As high as the sign-up form. */
export function SignUpShape(): ReactNode {
  return <Shape isFirst={false} hints={[false, true]} last={1} />
}

interface ShapeProps {
  /** A button comes before all others. */
  readonly isFirst: boolean
  /** Whether each of the fields has a hint. */
  readonly hints: readonly boolean[]
  /** The number of buttons below the fields. */
  readonly last: number
}

function Shape({ isFirst, hints, last }: ShapeProps): ReactNode {
  const { ui } = useWords()
  const buttons = (count: number) =>
    Array.from({ length: count }, (_, index) => <div key={index} className="auth-skeleton" />)
  return (
    <div className="auth-stack loose" role="status" aria-busy="true" aria-label={ui.loading}>
      {isFirst && buttons(1)}
      <div className="auth-stack snug">{buttons(expectedProviders)}</div>
      <p className="or">{ui.or}</p>
      <div className="auth-stack">
        {hints.map((hasHint, index) => (
          <div key={index} className="auth-stack tight">
            <div className="auth-skeleton" style={{ height: 21, width: 110 }} />
            {hasHint && <div className="auth-skeleton" style={{ height: 20, width: 150 }} />}
            <div className="auth-skeleton" />
          </div>
        ))}
        {buttons(1)}
      </div>
      <div className="auth-stack snug">{buttons(last)}</div>
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
