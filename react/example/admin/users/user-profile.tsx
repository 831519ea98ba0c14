import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import type { ServerUser } from 'rxauth/server'
import { CopyField } from '../../ui/copy-field'
import { TextArea, TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { Section } from '../../ui/section'
import { useForm } from '../../ui/use-form'
import { useProject } from '../project/project-context'

interface Values {
  readonly displayName: string
  readonly serverMetadata: string
}

/** The user's name and metadata for servers. */
export function UserProfile({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  const form = useForm<Values>({
    initial: {
      displayName: user.displayName ?? '',
      serverMetadata: JSON.stringify(user.serverMetadata, null, 2),
    },
    validate: { serverMetadata: text => (isJson(text) ? null : 'This is not JSON.') },
  })
  const save = useAction(async ({ displayName, serverMetadata }: Values) => {
    const result = await app.updateUserById({
      userId: user.id,
      // Untouched fields are not sent, since they may have been changed elsewhere.
      ...(form.isChanged('displayName') && { displayName: displayName.trim() || null }),
      ...(form.isChanged('serverMetadata') && { serverMetadata: JSON.parse(serverMetadata) as unknown }),
    })
    if (result.ok) form.settle()
    return result
  })
  return (
    <Section title="Profile">
      <Form label="Profile" form={form} action={save} submit="Save" isSaved={save.status === 'done'}>
        <TextField className="narrow" label="Name" maxLength={100} autoComplete="off" {...form.field('displayName')} />
        <TextArea
          label="Server metadata"
          hint="JSON that only your backend sees."
          rows={2}
          {...form.field('serverMetadata')}
        />
      </Form>
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
