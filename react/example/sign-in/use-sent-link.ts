import { useState } from 'react'
import { useFlow } from 'rxauth/react'

/** Where a link was sent to whose code is awaited in this tab, after a reload too; undefined if none is. */
export function useSentLink(): { readonly email: string; readonly startOver: () => void } | undefined {
  const flow = useFlow()
  // The code goes on waiting after a person has chosen another way: its link still signs in.
  const [abandoned, setAbandoned] = useState<unknown>()
  if (flow.step !== 'code-sent' || flow === abandoned) return undefined
  return { email: flow.email, startOver: () => setAbandoned(flow) }
}
