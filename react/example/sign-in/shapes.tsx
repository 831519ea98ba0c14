import type { ReactNode } from 'react'
import { useWords } from '../words/use-words'

/** Set the number of providers for your own project here. */
const expectedProviders = ['github', 'google']

/** As high as this project's sign-in form, so that the layout does not move. */
export function SignInShape(): ReactNode {
  return (
    <Shape>
      <div className="stack">
        <Field />
        <div className="skeleton" />
      </div>
      <div className="stack snug">
        <div className="skeleton" />
        <div className="skeleton" />
      </div>
    </Shape>
  )
}

/** As high as the sign-up form. */
export function SignUpShape(): ReactNode {
  return (
    <Shape>
      <div className="stack">
        <Field />
        <Field isDescribed />
        <div className="skeleton" />
      </div>
      <div className="skeleton" />
    </Shape>
  )
}

function Shape({ children }: { readonly children: ReactNode }): ReactNode {
  const { signIn, ui } = useWords()
  return (
    <div className="stack loose" role="status" aria-busy="true" aria-label={ui.loading}>
      <div className="stack snug">
        {expectedProviders.map(id => (
          <div key={id} className="skeleton" />
        ))}
      </div>
      <p className="or">{signIn.or}</p>
      {children}
    </div>
  )
}

function Field({ isDescribed = false }: { readonly isDescribed?: boolean }): ReactNode {
  return (
    <div className="stack close">
      <div className="skeleton" style={{ height: 21, width: 110 }} />
      {isDescribed && <div className="skeleton" style={{ height: 20, width: 150 }} />}
      <div className="skeleton" />
    </div>
  )
}
