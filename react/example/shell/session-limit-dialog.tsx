import { useState, type ReactNode } from 'react'
import { useAction, useApp, useSessionLimits } from 'rxauth/react'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Problem } from '../ui/alert'
import { localeOf, useWords } from '../words/use-words'

/** When users of this app are signed out, and how long before it the dialog says so. */
const limits = { idleMillis: 30 * 60_000, absoluteMillis: 12 * 3_600_000, warnMillis: 60_000 }

/** Says that the session is about to end. Any activity keeps one that is idle; nothing keeps one that is too old. */
export function SessionLimitDialog(): ReactNode {
  const words = useWords()
  const { sessionLimit: texts } = words
  const app = useApp()
  const { limit, stayActive } = useSessionLimits(limits)
  const [closed, close] = useState<Date>()
  const signOut = useAction(() => app.signOut())
  if (limit.status !== 'ending') return null
  const { endsAt, why } = limit
  const time = endsAt.toLocaleTimeString(localeOf(words), { timeStyle: 'medium' })
  const stay = () => {
    stayActive()
    close(endsAt)
  }
  return (
    <Dialog isOpen={closed?.getTime() !== endsAt.getTime()} onClose={stay} title={texts.title}>
      <p>{why === 'idle' ? texts.idle(time) : texts.limit(time)}</p>
      <Problem of={signOut} />
      <div className="auth-row end">
        <Button label={texts.signOut} kind="plain" does={signOut} />
        <Button label={why === 'idle' ? texts.stay : texts.understood} onClick={stay} data-autofocus />
      </div>
    </Dialog>
  )
}
