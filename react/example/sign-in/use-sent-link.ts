import { useState } from 'react'
import { useFlow } from 'rxauth/react'

/** The address that a link was sent to while this tab awaits its code, also after a reload; undefined if none is awaited. */
export function useSentLink(): { readonly email: string; readonly startOver: () => void } | undefined {
  const flow = useFlow()
  // The code stays valid after another method was chosen: its link still signs in.
  const [abandoned, setAbandoned] = useState<unknown>()
  if (flow.status !== 'code-sent' || flow === abandoned) return undefined
  return { email: flow.email, startOver: () => setAbandoned(flow) }
}
