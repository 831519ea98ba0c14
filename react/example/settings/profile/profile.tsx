import type { ReactNode } from 'react'
import { useApp, useUser } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { NameForm } from '../../ui/name-form'
import { PictureField } from '../../ui/picture-field'
import { Section } from '../../ui/section'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

/** The user's name and picture. A change shows everywhere at once, and is undone if the platform refuses it. */
export function Profile(): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  return (
    <>
      <Section title="Picture" description="Shown wherever your name is.">
        <PictureField
          url={user.profileImageUrl}
          name={user.displayName ?? user.primaryEmail ?? ''}
          alt="Your picture"
          shape="round"
          save={profileImageUrl => app.updateUser({ profileImageUrl })}
        />
      </Section>
      <Section title="Display name" description="What other people see.">
        <NameForm
          label="Display name"
          value={user.displayName ?? ''}
          autoComplete="name"
          save={name => app.updateUser({ displayName: name || null })}
        />
      </Section>
      <Section title="Account" description="Our support may ask you for your user id.">
        <CopyField label="User id" value={user.id} />
        <p className="dim">Member since {day.format(user.signedUpAt)}</p>
      </Section>
    </>
  )
}
