import { useMemo, type ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Select } from '../../example/ui/field'
import { Form, useForm } from '../../example/ui/form'
import { Section } from '../../example/ui/section'
import { askLocal } from '../local/ask-local'
import { answerOf, type LiveData } from '../local/live'
import { pending, useLive } from '../local/use-live'
import { Failure } from '../local/with-live'
import { kinds } from './kinds'

interface Values {
  readonly route: string
  readonly kind: string
  readonly times: string
}

/** Chooses the requests, the fault, and its number. */
export function AddFault(): ReactNode {
  const routes = useRoutes()
  const form = useForm<Values>({ initial: { route: '*', kind: '500', times: '' } })
  const fault = kinds.find(({ id }) => id === form.values.kind)?.fault ?? {}
  const isOfMail = 'mail' in fault
  const add = useAction(({ route, times }: Values) => {
    const ofRequests = { route, fault: { ...fault, ...(times !== '' && { times: Number(times) }) } }
    return askLocal('POST', 'faults', isOfMail ? fault : ofRequests)
  })
  return (
    <Section title="Switch on a fault">
      <Form label="Switch on a fault" form={form} action={add} submit="Switch on" isProblemShown>
        <Select
          label="Which requests"
          disabled={isOfMail}
          options={[{ value: '*', label: 'Every request' }, ...routes.map(each => ({ value: each, label: each }))]}
          {...form.field('route')}
        />
        <Select
          label="What happens"
          options={kinds.map(({ id, title }) => ({ value: id, label: title }))}
          {...form.field('kind')}
        />
        <Select
          label="How often"
          disabled={isOfMail}
          options={[
            { value: '', label: 'Until it is switched off' },
            { value: '1', label: 'Once' },
            { value: '3', label: 'Three times' },
          ]}
          {...form.field('times')}
        />
        <Failure of={add} />
      </Form>
    </Section>
  )
}

interface RouteList {
  readonly items: readonly string[]
}

/** Empty until the routes are loaded, or if loading failed: every request can still be chosen. */
function useRoutes(): readonly string[] {
  const answer$ = useMemo(() => answerOf<RouteList>('routes'), [])
  const routes = useLive<LiveData<RouteList>>(answer$, pending)
  return routes.status === 'ready' ? routes.value.items : []
}
