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
  if (read.status === 'idle' || read.status === 'running') return <Waiting title={words.pages.oneMoment} />
  return (
    <DeadEnd
      title={words.pages.failed}
      reason={read.status === 'failed' ? wordsFor(read.error, words) : words.pages.signInFailed}
      to="/handler/sign-in"
      wayOn={words.pages.toSignIn}
    />
  )
}
