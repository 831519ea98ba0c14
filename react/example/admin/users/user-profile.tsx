import type { ReactNode } from 'react'
import type { ServerUser } from 'rxauth/server'
import { CopyField } from '../../ui/copy-field'
import { Section } from '../../ui/section'
import { useProject } from '../project/project-context'
import { SettingsForm } from '../settings-form'

/** The user's name and metadata for servers. */
export function UserProfile({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  return (
    <Section title="Profile">
      <SettingsForm
        label="Profile"
        submit="Save"
        initial={{
          displayName: user.displayName ?? '',
          serverMetadata: JSON.stringify(user.serverMetadata, null, 2),
        }}
        settings={[
          { name: 'displayName', label: 'Name', className: 'narrow', maxLength: 100 },
          {
            name: 'serverMetadata',
            label: 'Server metadata',
            hint: 'JSON that only your backend sees.',
            rows: 2,
            validate: text => (isJson(text) ? null : 'This is not JSON.'),
          },
        ]}
        save={({ displayName, serverMetadata }, isChanged) =>
          app.updateUserById({
            userId: user.id,
            // Untouched fields are not sent, since they may have been changed elsewhere.
            ...(isChanged('displayName') && { displayName: displayName || null }),
            ...(isChanged('serverMetadata') && { serverMetadata: JSON.parse(serverMetadata) as unknown }),
          })
        }
      />
      <CopyField label="User id" value={user.id} />
    </Section>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
