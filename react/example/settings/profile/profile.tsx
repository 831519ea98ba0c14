import type { ReactNode } from 'react'
import { useApp, useUser } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { NameForm } from '../../ui/short-forms'
import { PictureField } from '../../ui/picture'
import { Section } from '../../ui/section'
import { localeOf, useWords } from '../../words/use-words'

/** The user's name and picture. A change shows everywhere at once, and is undone if the platform refuses it. */
export function Profile(): ReactNode {
  const app = useApp()
  const all = useWords()
  const words = all.account.profile
  const user = useUser({ or: 'redirect' })
  return (
    <>
      <Section title={words.seen}>
        <PictureField
          url={user.profileImageUrl}
          name={user.displayName ?? user.primaryEmail ?? ''}
          alt={words.yourPicture}
          shape="round"
          save={profileImageUrl => app.updateUser({ profileImageUrl })}
        />
        <NameForm
          label={words.name}
          value={user.displayName ?? ''}
          autoComplete="name"
          save={name => app.updateUser({ displayName: name || null })}
        />
      </Section>
      <Section title={words.account} description={words.accountText}>
        <CopyField label={words.id} value={user.id} />
        <p className="dim">
          {words.memberSince(user.signedUpAt.toLocaleDateString(localeOf(all), { dateStyle: 'long' }))}
        </p>
      </Section>
    </>
  )
}
