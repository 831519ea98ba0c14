import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { CopyField } from '../../ui/copy-field'
import { PageHeading } from '../../ui/page-heading'
import { Section } from '../../ui/section'
import { required } from '../../ui/use-form'
import { useProject } from '../project/project-context'
import { SettingsForm } from '../settings-form'
import type { FormSetting } from '../settings-form'
import { DeleteProject } from './delete-project'
import { SettingSwitch } from './setting-field'
import { WebhookToken } from './webhook-token'

/** The project's name, its users' rights, and its deletion. */
export function ProjectSettings(): ReactNode {
  const { id, app, project } = useProject()
  return (
    <>
      <PageHeading title="Settings" />
      <Section title="Name and description">
        <SettingsForm
          label="Name and description"
          submit="Save"
          initial={{ displayName: project.displayName, description: project.description }}
          settings={projectTexts}
          save={values => app.updateProject(values)}
        />
      </Section>
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

/** The texts about a project. */
export const projectTexts: readonly FormSetting<Pick<OwnedProject, 'displayName' | 'description'>>[] = [
  {
    name: 'displayName',
    label: 'Name',
    hint: 'Users see it when they sign in.',
    maxLength: 100,
    validate: required('Give the project a name.'),
  },
  { name: 'description', label: 'Description', rows: 2 },
]
