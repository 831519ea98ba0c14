import { createContext, useContext, type ReactNode } from 'react'
import { Button } from '../ui/button'
import { PageHeading } from '../ui/section'
import { Problem, type Failing } from '../ui/alert'
import { Brand } from './brand'
import { useWords } from '../words/use-words'

interface Props {
  readonly title: string
  /** The sign of what the page is about. */
  readonly icon?: ReactNode
  readonly subtitle?: ReactNode
  /** A field of the page takes the focus. */
  readonly hasFocusedField?: boolean | undefined
  /** A notice above the card. */
  readonly notice?: ReactNode
  /** A link below the card. */
  readonly below?: ReactNode
  readonly children?: ReactNode
}

interface Extras {
  /** Beside the brand. */
  readonly beside?: ReactNode
  /** At the foot of the page. */
  readonly foot?: ReactNode
}

const Extras = createContext<Extras>({})

/** Gives all these pages of an app more than their task. */
export const AuthFrameExtras = Extras.Provider

/** The frame of sign-in, sign-out and link pages: one card with one task. */
export function AuthFrame({ title, icon, subtitle, hasFocusedField, notice, below, children }: Props): ReactNode {
  const { beside, foot } = useContext(Extras)
  return (
    <div className="auth contents">
      <div className="auth-frame">
        <main>
          <div className="auth-stack">
            <div className="auth-row middle snug">
              <Brand />
              {beside}
            </div>
            {notice}
            <div className="auth-card">
              <div className="auth-stack loose">
                <div className="auth-stack tight centred">
                  {icon && <span className="emblem">{icon}</span>}
                  <PageHeading title={title} hasFocusedField={hasFocusedField} />
                  {subtitle !== undefined && <div className="dim">{subtitle}</div>}
                </div>
                {children}
              </div>
            </div>
            {below !== undefined && <div className="dim centred">{below}</div>}
          </div>
        </main>
        {foot !== undefined && <footer className="auth-row middle snug">{foot}</footer>}
      </div>
    </div>
  )
}

interface TryAgainProps {
  readonly title: string
  readonly of: Failing
  readonly again: () => Promise<unknown>
  /** A link below the card. */
  readonly below?: ReactNode
}

/** A page whose request has failed, though another try may succeed. */
export function TryAgain({ title, of, again, below }: TryAgainProps): ReactNode {
  const { ui } = useWords()
  return (
    <AuthFrame title={title} below={below}>
      <Problem of={of} />
      <Button label={ui.tryAgain} onClick={() => void again().catch(() => undefined)} />
    </AuthFrame>
  )
}
