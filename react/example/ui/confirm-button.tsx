import { Button, Group, Text } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Dialog } from './dialog'
import { Problem } from './problem'

interface Props extends ButtonProps {
  /** What the button says. */
  readonly children: ReactNode
  /** Where what it says is too short to be understood alone, as in a table. */
  readonly 'aria-label'?: string
  readonly question: string
  /** What will be, and that it stays so. */
  readonly consequence: ReactNode
  /** What the button that does it says. */
  readonly answer: string
  readonly run: () => Promise<unknown>
}

/** Something that cannot be undone: asks first, and stays open with the reason if it fails. */
export function ConfirmButton({ children, question, consequence, answer, run, ...look }: Props): ReactNode {
  const [isOpen, { open, close }] = useDisclosure()
  const action = useAction(run)
  const confirm = async () => {
    const result = await action.run()
    const isRefused = typeof result === 'object' && result !== null && 'ok' in result && result.ok === false
    if (!isRefused) close()
  }
  const ask = () => {
    action.reset()
    open()
  }
  return (
    <>
      <Button variant="default" {...look} onClick={ask}>
        {children}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={question}>
        <Text size="sm">{consequence}</Text>
        <Problem of={action} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          {/* What it throws is shown above. */}
          <Button
            color="red"
            loading={action.status === 'running'}
            onClick={() => void confirm().catch(() => undefined)}
          >
            {answer}
          </Button>
        </Group>
      </Dialog>
    </>
  )
}
