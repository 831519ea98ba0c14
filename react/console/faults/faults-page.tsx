import type { ReactNode } from 'react'
import type { PlannedFault } from 'rxauth/platform'
import { useAction } from 'rxauth/react'
import { Button } from '../../example/ui/button'
import { ListOf, Row } from '../../example/ui/rows'
import { Section } from '../../example/ui/section'
import { askLocal } from '../local/ask-local'
import { faults$ } from '../local/live'
import { Failure, WithLive } from '../local/with-live'
import { PageFrame } from '../page-frame'
import { AddFault } from './add-fault'
import { wordsForFault } from './kinds'

/** Switches faults on and off, and lists them. */
export function FaultsPage(): ReactNode {
  const clear = useAction(() => askLocal('DELETE', 'faults'))
  return (
    <PageFrame
      title="Faults"
      description="Make requests of your apps fail on purpose. The console itself is not affected."
    >
      <AddFault />
      <WithLive source$={faults$} label="Faults">
        {faults => (
          <Section
            title="Switched on"
            action={faults.length > 1 && <Button label="Switch off all" kind="plain" isSmall does={clear} />}
          >
            <Failure of={clear} />
            <ListOf label="Faults" items={faults} empty="No fault is switched on.">
              {planned => <FaultRow key={planned.id} planned={planned} />}
            </ListOf>
          </Section>
        )}
      </WithLive>
    </PageFrame>
  )
}

const placeNames = new Map([
  ['*', 'Every request'],
  ['mail', 'Mails'],
])

function FaultRow({ planned: { id, route, fault, left } }: { readonly planned: PlannedFault }): ReactNode {
  const remove = useAction(() => askLocal('DELETE', `faults/${id}`))
  const where = placeNames.get(route) ?? route
  return (
    <Row
      title={<code>{where}</code>}
      detail={
        <>
          {wordsForFault(fault)}
          {left !== null && ` · ${left === 1 ? 'once more' : `${left} times more`}`}
        </>
      }
      action={<Button label="Switch off" kind="plain" isSmall aria-label={`Switch off: ${where}`} does={remove} />}
    >
      <Failure of={remove} />
    </Row>
  )
}
