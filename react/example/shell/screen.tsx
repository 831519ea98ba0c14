import { Suspense, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { usePath } from '../ui/navigation'
import { Boundary } from './boundary'
import { NotKnownYet } from './not-known-yet'

interface Props {
  /** A page with another name starts anew; the path, unless it is given. */
  readonly name?: string
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Around each page: its outline until the user is known, and a text with a button if it fails. */
export function Screen({ name, isWide, children }: Props): ReactNode {
  const path = usePath()
  // A server does not know the address with its code, nor the user.
  const isInBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const outline = <NotKnownYet isWide={isWide} />
  return (
    <Boundary key={name ?? path} page={path}>
      <Suspense fallback={outline}>{isInBrowser ? children : outline}</Suspense>
    </Boundary>
  )
}

const never = () => () => undefined
