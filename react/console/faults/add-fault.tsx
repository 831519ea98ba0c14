import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Section } from '../../example/ui/section'
import { askLocal } from '../local/ask-local'
import { useLocalAction } from '../local/use-local-action'
import { Failure } from '../local/with-live'
import { kinds } from './kinds'

/** Chooses the requests, the fault, and its number. */
export function AddFault(): ReactNode {
  const routes = useRoutes()
  const [route, setRoute] = useState('*')
  const [kindId, setKindId] = useState('500')
  const [times, setTimes] = useState('')
  const fault = kinds.find(({ id }) => id === kindId)?.fault ?? {}
  const isOfMail = 'mail' in fault
  const add = useLocalAction(async () => {
    const ofRequests = { route, fault: { ...fault, ...(times !== '' && { times: Number(times) }) } }
    await askLocal('POST', 'faults', isOfMail ? fault : ofRequests)
  })
  return (
    <Section title="Switch on a fault">
      <form
        aria-label="Switch on a fault"
        onSubmit={event => {
          event.preventDefault()
          add.run()
        }}
      >
        <Stack gap="sm">
          <NativeSelect
            size="md"
            label="Which requests"
            disabled={isOfMail}
            value={route}
            data={[{ value: '*', label: 'Every request' }, ...routes]}
            onChange={event => setRoute(event.currentTarget.value)}
          />
          <NativeSelect
            size="md"
            label="What happens"
            value={kindId}
            data={kinds.map(({ id, title }) => ({ value: id, label: title }))}
            onChange={event => setKindId(event.currentTarget.value)}
          />
          <NativeSelect
            size="md"
            label="How often"
            disabled={isOfMail}
            value={times}
            data={[
              { value: '', label: 'Until it is switched off' },
              { value: '1', label: 'Once' },
              { value: '3', label: 'Three times' },
            ]}
            onChange={event => setTimes(event.currentTarget.value)}
          />
          {add.error && <Failure error={add.error} />}
          <Group>
            <Button type="submit" loading={add.isRunning}>
              Switch on
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

/** Empty until the routes are loaded, or if loading failed: every request can still be chosen. */
function useRoutes(): readonly string[] {
  const [routes, setRoutes] = useState<readonly string[]>([])
  useEffect(() => {
    askLocal('GET', 'routes').then(
      answer => setRoutes((answer as { readonly items: readonly string[] }).items),
      () => undefined,
    )
  }, [])
  return routes
}
