import type { ReactNode } from 'react'
import { changePrimaryEmail, orThrow } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { EmailForm } from '../ui/email-form'
import { useWords } from '../words/use-words'

/** Another address for a user who mistyped the first one; the mail goes there at once. */
export function OtherAddress({ onSent }: { readonly onSent: () => void }): ReactNode {
  const { verifyFirst: words } = useWords().pages
  const app = useApp()
  const change = useAction(async (primaryEmail: string) => {
    const result = await changePrimaryEmail(app, { primaryEmail })
    if (!result.ok) return result
    // An address that was verified before ends the restriction.
    if (!result.value.primaryEmailVerified) orThrow(await app.sendVerificationEmail())
    onSent()
    return result
  })
  return (
    <EmailForm
      inline={words.other}
      label={words.otherEmail}
      autoComplete="email"
      submit={words.otherSubmit}
      action={change}
    />
  )
}
