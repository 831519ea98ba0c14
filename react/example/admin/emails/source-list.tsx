import { Box, Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import type { Store } from 'rxauth'
import { useAction } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'

interface Named {
  readonly id: string
  readonly displayName: string
}

interface Props<T extends Named> {
  /** In the plural. */
  readonly title: string
  readonly description: string
  readonly store: Store<readonly T[]>
  readonly create: (displayName: string) => Promise<unknown>
  readonly remove: (row: T) => Promise<unknown>
  /** Beside the name. */
  readonly beside?: (row: T) => ReactNode
  /** Below the name, while the row is open. */
  readonly children: (row: T) => ReactNode
}

/** Templates, themes or drafts: a list whose rows open, and a form for a new one. */
export function SourceList<T extends Named>(props: Props<T>): ReactNode {
  const { title, description, store, create, remove, beside, children } = props
  const [openId, setOpenId] = useState<string>()
  const [name, setName] = useState('')
  const creating = useAction(async (displayName: string) => {
    await create(displayName)
    setName('')
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const displayName = name.trim()
    if (displayName !== '' && creating.status !== 'running') void creating.run(displayName).catch(() => undefined)
  }
  return (
    <Section title={title} description={description}>
      <StoreList store={store} label={title} empty="There are none yet.">
        {rows => (
          <Rows label={title}>
            {rows.map(row => {
              const { id, displayName } = row
              const isOpen = id === openId
              return (
                <Row key={id}>
                  <Group justify="space-between" gap="sm">
                    <Box miw={0} flex="1 1 12rem">
                      <Text size="sm" fw={500} className="breakable">
                        {displayName}
                      </Text>
                    </Box>
                    <Group gap="xs">
                      {beside?.(row)}
                      <Button
                        variant="default"
                        size="xs"
                        aria-expanded={isOpen}
                        aria-label={`Edit ${displayName}`}
                        onClick={() => setOpenId(isOpen ? undefined : id)}
                      >
                        Edit
                      </Button>
                      <ConfirmButton
                        size="xs"
                        aria-label={`Delete ${displayName}`}
                        question={`Delete ${displayName}?`}
                        consequence="It cannot be restored. Mails that were sent stay."
                        answer="Delete"
                        run={() => remove(row)}
                      >
                        Delete
                      </ConfirmButton>
                    </Group>
                  </Group>
                  {isOpen && children(row)}
                </Row>
              )
            })}
          </Rows>
        )}
      </StoreList>
      <form aria-label={`New in ${title}`} onSubmit={submit}>
        <Group gap="sm" align="flex-start">
          <TextInput
            flex="1 1 12rem"
            maw={400}
            aria-label={`Name of a new entry in ${title}`}
            placeholder="Name"
            autoComplete="off"
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="md" variant="default" loading={creating.status === 'running'}>
            Create
          </Button>
        </Group>
      </form>
      <Problem of={creating} />
    </Section>
  )
}
