import { JsonInput, TextInput } from '@mantine/core'
import { isJSONString, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { ServerUser } from 'rxauth/server'
import { useAction } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { SavedForm } from '../../ui/saved-form'
import { Section } from '../../ui/section'
import { useFollowedValues } from '../../ui/use-followed-values'
import { useProject } from '../project/project-context'

interface Values {
  readonly displayName: string
  readonly serverMetadata: string
}

/** The user's name and metadata for servers. */
export function UserProfile({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  const stored = {
    displayName: user.displayName ?? '',
    serverMetadata: JSON.stringify(user.serverMetadata, null, 2),
  }
  const form = useForm<Values>({
    initialValues: stored,
    validate: { serverMetadata: isJSONString('This is not JSON.') },
  })
  useFollowedValues(form, stored)
  const save = useAction(async ({ displayName, serverMetadata }: Values) => {
    const result = await app.updateUserById({
      userId: user.id,
      // Untouched fields are not sent, since they may have been changed elsewhere.
      ...(form.isDirty('displayName') && { displayName: displayName.trim() || null }),
      ...(form.isDirty('serverMetadata') && { serverMetadata: JSON.parse(serverMetadata) as unknown }),
    })
    if (result.ok) form.resetDirty()
    return result
  })
  return (
    <Section title="Profile">
      <SavedForm
        label="Profile"
        action={save}
        onSubmit={form.onSubmit(values => void save.run(values).catch(() => undefined), focusFirstProblem(form))}
      >
        <TextInput label="Name" maw={400} maxLength={100} autoComplete="off" {...form.getInputProps('displayName')} />
        <JsonInput
          label="Server metadata"
          description="JSON that only servers see."
          size="md"
          autosize
          minRows={2}
          maxRows={12}
          {...form.getInputProps('serverMetadata')}
        />
      </SavedForm>
      <CopyField label="User id" value={user.id} />
    </Section>
  )
}
