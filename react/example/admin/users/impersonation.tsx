import { Button, Code, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Dialog } from '../../ui/dialog'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { useProject } from '../project/project-context'
import { signProductIn } from './sign-product-in'

interface Props {
  readonly userId: string
  readonly name: string
}

/** Long enough to look at a problem. */
const expiresInMillis = 2 * 3_600_000

/** Opens the product as the user, in a session that is marked as impersonation. */
export function Impersonation({ userId, name }: Props): ReactNode {
  const { id } = useProject()
  const [isOpen, { open, close }] = useDisclosure()
  // This example has no pages of other projects.
  const isOwnProduct = id === import.meta.env.VITE_PROJECT_ID
  return (
    <Section
      title="Impersonate"
      description={
        isOwnProduct ? (
          'Look at the product as this user does, for two hours at most. The user does not see the session; it is marked above.'
        ) : (
          <>
            The product of this project is elsewhere: <Code>createSession({'{ userId, isImpersonation: true }'})</Code>{' '}
            gives the tokens that its kit takes.
          </>
        )
      }
      action={
        isOwnProduct && (
          <Button size="xs" variant="default" onClick={open}>
            Impersonate
          </Button>
        )
      }
    >
      <Dialog isOpen={isOpen} onClose={close} title="Use the product as this user?">
        <ImpersonationSteps userId={userId} name={name} onClose={close} />
      </Dialog>
    </Section>
  )
}

/** A separate component, so that it starts empty each time. */
function ImpersonationSteps({ userId, name, onClose }: Props & { readonly onClose: () => void }): ReactNode {
  const { app } = useProject()
  const begin = useAction(async () => {
    const result = await app.createSession({ userId, expiresInMillis, isImpersonation: true })
    if (result.ok) await signProductIn(result.value)
    return result
  })
  if (begin.status === 'done')
    return (
      <>
        <Text size="sm" role="status" className="breakable">
          The product is signed in as {name} in this browser.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button component="a" href="/" target="_blank" rel="noreferrer" onClick={onClose}>
            Open the product
          </Button>
        </Group>
      </>
    )
  return (
    <>
      <Text size="sm" className="breakable">
        In this browser, {name} takes the place of the user who is signed in to the product. What you do there is done
        in the name of the user.
      </Text>
      <Problem of={begin} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button loading={begin.status === 'running'} onClick={() => void begin.run().catch(() => undefined)}>
          Impersonate
        </Button>
      </Group>
    </>
  )
}
