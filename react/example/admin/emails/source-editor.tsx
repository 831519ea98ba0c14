import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction } from 'rxauth/react'
import { Problem } from '../../ui/problem'

interface Props {
  /** The name of what is edited. */
  readonly label: string
  readonly source: string
  readonly save: (source: string) => Promise<unknown>
}

/** A source in TSX, with the platform's reason if it cannot be rendered. */
export function SourceEditor({ label, source, save }: Props): ReactNode {
  const [text, setText] = useState(source)
  const saving = useAction(save)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (saving.status !== 'running') void saving.run(text).catch(() => undefined)
  }
  return (
    <form aria-label={label} onSubmit={submit}>
      <Stack gap="sm" mt="sm">
        <Textarea
          aria-label={`Source of ${label}`}
          size="md"
          autosize
          minRows={6}
          maxRows={20}
          spellCheck={false}
          styles={{ input: { fontFamily: 'monospace' } }}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
        />
        <Problem of={saving} />
        <Group gap="sm">
          <Button type="submit" loading={saving.status === 'running'}>
            Save
          </Button>
          <Text role="status" size="sm" c="dimmed">
            {saving.status === 'done' ? 'Saved.' : ''}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}
