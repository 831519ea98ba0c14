import { useState, type ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction } from 'rxauth/react'
import { useLocation } from 'wouter'
import { Alert, Problem } from '../../ui/alert'
import { Button } from '../../ui/button'
import { CopyField } from '../../ui/copy-field'
import { DialogButton } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { required } from '../../ui/form'
import { PageHeading, Section } from '../../ui/section'
import { type FormSetting, SettingsForm } from '../../ui/settings-form'
import { tell } from '../../ui/toasts'
import { useProject } from '../project/project-context'
import { SettingSwitch } from './setting-field'

/** The project's name, its users' rights, and its deletion. */
export function ProjectSettings(): ReactNode {
  const { id, app, project } = useProject()
  /** A token for the portal that manages the project's webhooks. It is not kept after the page is left. */
  const createToken = useAction(() => app.createWebhookToken())
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
      <Section
        title="Webhooks"
        description="Webhooks send the events of users and teams to your backend. They are set up in the portal of the platform."
        action={<Button label="Create a portal token" kind="plain" isSmall does={createToken} />}
      >
        <Problem of={createToken} />
        {createToken.status === 'done' && (
          <>
            <Alert kind="warning" role="status">
              Copy the token now and keep it in a safe place. It opens the portal and will not be shown again.
            </Alert>
            <CopyField label="Portal token" value={createToken.value.token} />
          </>
        )}
      </Section>
      <Section
        title="Delete project"
        isDangerous
        description="Its users, teams and settings will be deleted for good, and its keys stop working."
        action={
          <DialogButton kind="danger" label="Delete project" title="Delete this project?">
            {close => <DeleteForm onCancel={close} />}
          </DialogButton>
        }
      />
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

/** Deletes the project. Its name has to be typed, since a button alone is easily pressed by mistake. */
function DeleteForm({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const { app, project } = useProject()
  const { displayName } = project
  const [, goTo] = useLocation()
  const [typed, setTyped] = useState('')
  const remove = useAction(async () => {
    await app.deleteProject()
    tell(`The project ${displayName} has been deleted.`)
    goTo('/')
  })
  return (
    <>
      <p>
        This cannot be undone. Type the name of the project, <b>{displayName}</b>, to confirm.
      </p>
      <TextField
        label="Name of the project"
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      <Problem of={remove} />
      <div className="auth-row end">
        <Button label="Cancel" kind="plain" onClick={onCancel} />
        <Button
          label="Delete project for good"
          kind="danger"
          disabled={typed.trim() !== displayName.trim()}
          does={remove}
        />
      </div>
    </>
  )
}
