import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Alert } from '../../ui/alert'
import { Button } from '../../ui/button'
import { CopyField } from '../../ui/copy-field'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { useProject } from '../project/project-context'

/** A token for the portal that manages the project's webhooks. It is not kept after the page is left. */
export function WebhookToken(): ReactNode {
  const { app } = useProject()
  const create = useAction(() => app.createWebhookToken())
  return (
    <Section
      title="Webhooks"
      description="Webhooks send the events of users and teams to your backend. They are set up in the portal of the platform."
      action={
        <Button kind="plain" isSmall does={create}>
          Create a portal token
        </Button>
      }
    >
      <Problem of={create} />
      {create.status === 'done' && (
        <>
          <Alert kind="warning" role="status">
            Copy the token now and keep it in a safe place. It opens the portal and will not be shown again.
          </Alert>
          <CopyField label="Portal token" value={create.value.token} />
        </>
      )}
    </Section>
  )
}
