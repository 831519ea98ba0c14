import { Box, Button, Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PlannedFault } from 'rxauth/platform'
import { Row, Rows } from '../../example/ui/rows'
import { Section } from '../../example/ui/section'
import { askLocal } from '../local/ask-local'
import { faults$ } from '../local/live'
import { useLocalAction } from '../local/use-local-action'
import { Failure, WithLive } from '../local/with-live'
import { PageFrame } from '../page-frame'
import { AddFault } from './add-fault'
import { wordsForFault } from './kinds'

/** Switches faults on and off, and lists them. */
export function FaultsPage(): ReactNode {
  const clear = useLocalAction(() => askLocal('DELETE', 'faults'))
  return (
    <PageFrame
      title="Faults"
      description="Let requests of apps fail on purpose. Requests of the console are not affected."
    >
      <AddFault />
      <WithLive source$={faults$} label="Faults">
        {faults => (
          <Section
            title="Switched on"
            action={
              faults.length > 1 && (
                <Button size="xs" variant="default" loading={clear.isRunning} onClick={() => clear.run()}>
                  Switch off all
                </Button>
              )
            }
          >
            {clear.error && <Failure error={clear.error} />}
            {faults.length === 0 ? (
              <Text size="sm" c="dimmed" role="status">
                No fault is switched on.
              </Text>
            ) : (
              <Rows label="Faults">
                {faults.map(planned => (
                  <FaultRow key={planned.id} planned={planned} />
                ))}
              </Rows>
            )}
          </Section>
        )}
      </WithLive>
    </PageFrame>
  )
}

function FaultRow({ planned: { id, route, fault, left } }: { readonly planned: PlannedFault }): ReactNode {
  const remove = useLocalAction(() => askLocal('DELETE', `faults/${id}`))
  const where = route === '*' ? 'Every request' : route === 'mail' ? 'Mails' : route
  return (
    <Row>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Box miw={0}>
          <Text size="sm" className="breakable">
            <Code>{where}</Code>
          </Text>
          <Text size="xs" c="dimmed" className="breakable">
            {wordsForFault(fault)}
            {left !== null && ` · ${left === 1 ? 'once more' : `${left} times more`}`}
          </Text>
          {remove.error && <Failure error={remove.error} />}
        </Box>
        <Button
          size="xs"
          variant="default"
          className="fixed"
          loading={remove.isRunning}
          onClick={() => remove.run()}
          aria-label={`Switch off: ${where}`}
        >
          Switch off
        </Button>
      </Group>
    </Row>
  )
}
