import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Button } from '../../ui/button'
import { Problem } from '../../ui/alert'
import { Row } from '../../ui/rows'

interface Props {
  readonly id: string
  /** The label of the button. */
  readonly button: string
  /** The accessible name of the button. */
  readonly name: string
  readonly remove: () => Promise<unknown>
}

/** A permission that is granted, with a button that takes it away. */
export function PermissionRow({ id, button, name, remove }: Props): ReactNode {
  const removing = useAction(remove)
  return (
    <Row
      title={<code>{id}</code>}
      action={
        <Button kind="plain" isSmall aria-label={name} does={removing}>
          {button}
        </Button>
      }
    >
      <Problem of={removing} />
    </Row>
  )
}
