import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuthRouting } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Button } from '../ui/button'
import { TextLink } from '../ui/link'
import { queryParameter } from '../ui/navigation'
import { Problem } from '../ui/problem'
import { DeadEnd, isUselessLink, wordsForLink } from './dead-end'
import { useWords } from '../words/use-words'

/** The target of the mail's link. The user presses a button, because mail scanners open links too. */
export function MagicLinkCallbackPage(): ReactNode {
  const words = useWords()
  const { magicLink: texts, link } = words.pages
  const app = useApp()
  useAuthRouting()
  const [code] = useState(() => queryParameter('code'))
  const enter = useAction((text: string) => app.signInWithMagicLink({ code: text }))
  if (code === null) return <Useless reason={link.incomplete} />
  if (enter.status === 'failed' && isUselessLink(enter.error))
    return <Useless reason={wordsForLink(enter.error, words)} />
  return (
    <AuthFrame title={texts.title} below={<TextLink to="/handler/sign-in">{texts.otherMethod}</TextLink>}>
      <Problem of={enter} />
      {enter.status !== 'failed' && <p className="centred">{texts.text}</p>}
      <Button isBusy={enter.status === 'running'} onClick={() => void enter.run(code).catch(() => undefined)}>
        {enter.status === 'failed' ? words.ui.tryAgain : texts.submit}
      </Button>
    </AuthFrame>
  )
}

function Useless({ reason }: { readonly reason: string }): ReactNode {
  const { pages: words } = useWords()
  return <DeadEnd title={words.magicLink.title} reason={reason} to="/handler/sign-in" wayOn={words.newMail} />
}
