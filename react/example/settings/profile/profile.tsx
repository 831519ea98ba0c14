import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { Section } from '../../ui/section'
import { DisplayNameForm } from './display-name-form'
import { ProfilePicture } from './profile-picture'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

/** How other people see the user. */
export function Profile(): ReactNode {
  const user = useUser({ or: 'redirect' })
  return (
    <>
      <Section title="Picture" description="Shown wherever your name is.">
        <ProfilePicture user={user} />
      </Section>
      <Section title="Display name" description="What other people see.">
        <DisplayNameForm displayName={user.displayName} />
      </Section>
      <Section title="Account" description="Support may ask you for your user id.">
        <CopyField label="User id" value={user.id} />
        <Text size="sm" c="dimmed">
          Member since {day.format(user.signedUpAt)}
        </Text>
      </Section>
    </>
  )
}
