import { useState, type ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Problem } from '../ui/alert'
import { Button } from '../ui/button'
import { type Option, Select } from '../ui/field'

interface Props {
  /** The label of the choice. */
  readonly label: string
  readonly options: readonly Option[]
  /** The label of the button. */
  readonly button: string
  /** The accessible name of the button, if its label is too short. */
  readonly name?: string
  /** Shown when there is nothing to choose. */
  readonly none?: string
  readonly add: (value: string) => Promise<unknown>
}

/** Adds one of several things to a list, which then no longer is among the options. */
export function AddOne({ label, options, button, name, none, add }: Props): ReactNode {
  const [chosen, setChosen] = useState('')
  const adding = useAction(add)
  const option = options.find(({ value }) => value === chosen) ?? options[0]
  if (!option) return none !== undefined && <p className="fine dim">{none}</p>
  return (
    <>
      <div className="auth-row bottom">
        <Select
          className="grow narrow"
          label={label}
          value={option.value}
          options={options}
          onChange={event => setChosen(event.currentTarget.value)}
        />
        <Button
          label={button}
          kind="plain"
          aria-label={name}
          does={{ status: adding.status, run: async () => adding.run(option.value) }}
        />
      </div>
      <Problem of={adding} />
    </>
  )
}
