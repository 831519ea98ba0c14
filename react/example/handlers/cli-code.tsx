import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { DeadEnd } from './dead-end'
import { useWords } from '../words/use-words'

/** The end of the code, as the terminal shows it, to tell two logins apart. */
const comparedLength = 6

/** Asks the user to compare the address of the page with that in the terminal. */
export function CliCode({ loginCode }: { readonly loginCode: string }): ReactNode {
  const { program: words } = useWords().pages
  return (
    <>
      <p className="centred">{words.compare}</p>
      <code className="compared" aria-label={words.end}>
        {loginCode.slice(-comparedLength)}
      </code>
    </>
  )
}

/** Whether the platform knows the login of the address no more. */
export function isUselessLogin({ code }: AnyAuthError): boolean {
  return code === 'SCHEMA_ERROR' || code === 'INVALID_INPUT'
}

/** The page for an address of a program that leads nowhere. */
export function UselessAddress({ reason }: { readonly reason?: string }): ReactNode {
  const { program: words, toStart } = useWords().pages
  return <DeadEnd title={words.title} reason={reason ?? words.invalid} to="/" wayOn={toStart} />
}
