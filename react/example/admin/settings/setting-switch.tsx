import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction, useStore } from 'rxauth/react'
import { Problem } from '../../ui/problem'
import { useProject } from '../project/project-context'

type Config = OwnedProject['config']
type Flag = { [K in keyof Config]: Config[K] extends boolean ? K : never }[keyof Config]

interface Props {
  readonly setting: Flag
  readonly label: string
  readonly description?: string
}

/** A setting that is on or off. It changes at once, and changes back if the platform refuses it. */
export function SettingSwitch({ setting, label, description }: Props): ReactNode {
  const { app } = useProject()
  const project = useStore(app.adminProject$)
  const change = useAction((value: boolean) => app.updateProject({ config: { [setting]: value } }))
  return (
    <>
      <Switch
        label={label}
        {...(description !== undefined && { description })}
        checked={project.status === 'ready' && project.value.config[setting]}
        disabled={project.status !== 'ready'}
        onChange={event => void change.run(event.currentTarget.checked).catch(() => undefined)}
      />
      <Problem of={change} />
    </>
  )
}
