import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { TextArea, TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { PageHeading } from '../../ui/page-heading'
import { Section } from '../../ui/section'
import { required, useForm } from '../../ui/use-form'
import { useProject } from '../project/project-context'
import { DeleteProject } from './delete-project'
import { SettingSwitch } from './setting-field'
import { WebhookToken } from './webhook-token'

/** The project's name, its users' rights, and its deletion. */
export function ProjectSettings(): ReactNode {
  const { id } = useProject()
  return (
    <>
      <PageHeading title="Settings" />
      <Names />
      <Section title="Project id" description="Apps need it to use this project.">
        <CopyField label="Project id" value={id} />
      </Section>
      <Section title="What users may do">
        <SettingSwitch setting="clientTeamCreationEnabled" label="Create teams" />
        <SettingSwitch
          setting="createTeamOnSignUp"
          label="Have a team of their own"
          hint="It is created when a user signs up."
        />
        <SettingSwitch setting="allowUserApiKeys" label="Create API keys for themselves" />
        <SettingSwitch setting="allowTeamApiKeys" label="Create API keys for their teams" />
        <SettingSwitch setting="clientUserDeletionEnabled" label="Delete their own account" />
      </Section>
      <WebhookToken />
      <DeleteProject />
    </>
  )
}

interface Values {
  readonly displayName: string
  readonly description: string
}

function Names(): ReactNode {
  const { app, project } = useProject()
  const form = useForm<Values>({
    initial: { displayName: project.displayName, description: project.description },
    validate: { displayName: required('Give the project a name.') },
    clean: ({ displayName, description }) => ({ displayName: displayName.trim(), description: description.trim() }),
  })
  const save = useAction((values: Values) => app.updateProject(values))
  return (
    <Section title="Name and description">
      <Form label="Name and description" form={form} action={save} submit="Save" isSaved={save.status === 'done'}>
        <TextField label="Name" autoComplete="off" maxLength={100} {...form.field('displayName')} />
        <TextArea label="Description" rows={2} {...form.field('description')} />
      </Form>
    </Section>
  )
}
