import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import type { AnyAuthError } from 'rxauth'
import { Problem } from './problem'

interface Props {
  readonly label: string
  /** The state of the last attempt to save. */
  readonly action: { readonly status: string; readonly error?: AnyAuthError }
  readonly onSubmit: (event?: SubmitEvent<HTMLFormElement>) => void
  /** The label of the button. */
  readonly answer?: string
  /** Fields show their own errors. */
  readonly isProblemShown?: boolean
  readonly children: ReactNode
}

/** Fields, the button that saves them, and the result. */
export function SavedForm({
  label,
  action,
  onSubmit,
  answer = 'Save',
  isProblemShown = false,
  children,
}: Props): ReactNode {
  const isBusy = action.status === 'running'
  return (
    <form
      noValidate
      aria-label={label}
      onSubmit={event => {
        if (isBusy) event.preventDefault()
        else onSubmit(event)
      }}
    >
      <Stack gap="md">
        {children}
        {!isProblemShown && <Problem of={action} />}
        <Group gap="sm">
          <Button type="submit" loading={isBusy}>
            {answer}
          </Button>
          <Text role="status" size="sm" c="dimmed">
            {isBusy ? 'Saving…' : action.status === 'done' ? 'Saved.' : ''}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}
