import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { useWords, wordsFor } from '../words/use-words'
import { DeadEnd } from './dead-end'
import { Waiting } from './waiting'

/** The page after a failed sign-in at a provider; its address has the reason. */
export function ErrorPage(): ReactNode {
  const app = useApp()
  const words = useWords()
  const { run, ...read } = useAction(async () => {
    const callback = await app.handleOAuthCallback()
    return callback.status === 'handled' ? callback.result : callback
  })
  useEffect(() => {
    run().catch(() => undefined)
  }, [run])
  if (read.status === 'idle' || read.status === 'running') return <Waiting title="One moment…" />
  return (
    <DeadEnd
      title="Something went wrong"
      reason={read.status === 'failed' ? wordsFor(read.error, words) : 'Something went wrong. Please sign in again.'}
      to="/handler/sign-in"
      wayOn="Back to sign-in"
    />
  )
}
