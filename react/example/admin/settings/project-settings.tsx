import { Stack, Textarea, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { PageHeading } from '../../ui/page-heading'
import { SavedForm } from '../../ui/saved-form'
import { Section } from '../../ui/section'
import { useFollowedValues } from '../../ui/use-followed-values'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { DeleteProject } from './delete-project'
import { SettingSwitch } from './setting-switch'
import { WebhookToken } from './webhook-token'

/** The project's name, its users' rights, and its deletion. */
export function ProjectSettings(): ReactNode {
  const { app, id } = useProject()
  return (
    <>
      <PageHeading title="Settings" />
      <WithStore store={app.adminProject$} label="Project" gap="lg">
        {project => (
          <>
            <Names key={project.id} project={project} />
            <Section title="Project id" description="Apps need it to use this project.">
              <CopyField label="Project id" value={id} />
            </Section>
            <Section title="What users may do">
              <Stack gap="md">
                <SettingSwitch setting="clientTeamCreationEnabled" label="Create teams" />
                <SettingSwitch
                  setting="createTeamOnSignUp"
                  label="Have a team of their own"
                  description="Every new user gets one."
                />
                <SettingSwitch setting="allowUserApiKeys" label="Make API keys for themselves" />
                <SettingSwitch setting="allowTeamApiKeys" label="Make API keys for their teams" />
                <SettingSwitch setting="clientUserDeletionEnabled" label="Delete their own account" />
              </Stack>
            </Section>
            <WebhookToken />
            <DeleteProject displayName={project.displayName} />
          </>
        )}
      </WithStore>
    </>
  )
}

interface Values {
  readonly displayName: string
  readonly description: string
}

function Names({ project }: { readonly project: OwnedProject }): ReactNode {
  const { app } = useProject()
  const stored = { displayName: project.displayName, description: project.description }
  const form = useForm<Values>({
    initialValues: stored,
    validate: { displayName: isNotEmpty('Give the project a name.') },
    transformValues: ({ displayName, description }) => ({
      displayName: displayName.trim(),
      description: description.trim(),
    }),
  })
  useFollowedValues(form, stored)
  const save = useAction((values: Values) => app.updateProject(values))
  return (
    <Section title="Name and description">
      <SavedForm
        label="Name and description"
        action={save}
        onSubmit={form.onSubmit(values => void save.run(values).catch(() => undefined), focusFirstProblem(form))}
      >
        <TextInput label="Name" autoComplete="off" maxLength={100} {...form.getInputProps('displayName')} />
        <Textarea label="Description" size="md" autosize minRows={2} {...form.getInputProps('description')} />
      </SavedForm>
    </Section>
  )
}
