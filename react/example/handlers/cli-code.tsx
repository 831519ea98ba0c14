import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { DeadEnd } from './dead-end'

/** The end of the code, as the terminal shows it, to tell two logins apart. */
const comparedLength = 6

/** Asks the user to compare the address of the page with that in the terminal. */
export function CliCode({ loginCode }: { readonly loginCode: string }): ReactNode {
  return (
    <>
      <p className="centred">Compare: the address in your terminal ends with</p>
      <code className="compared" aria-label="End of the address">
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
export function UselessAddress({
  reason = 'This address is not valid: it was used already, has expired, or is incomplete. Start the sign-in of the program again.',
}: {
  readonly reason?: string
}): ReactNode {
  return <DeadEnd title="Sign in to a program" reason={reason} to="/" wayOn="Go to the start page" />
}
