import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction } from 'rxauth/react'
import { Choice, Select, type Option } from '../../ui/field'
import { Problem } from '../../ui/alert'
import { useProject } from '../project/project-context'

interface SwitchProps {
  readonly label: string
  /** The accessible name, if the label is too short. */
  readonly name?: string
  readonly hint?: string
  readonly isOn: boolean
  readonly disabled?: boolean
  readonly turn: (isOn: boolean) => Promise<unknown>
}

/** A switch of one setting. It changes at once, and changes back if the platform refuses it. */
export function ActionSwitch({ label, name, hint, isOn, disabled = false, turn }: SwitchProps): ReactNode {
  const change = useAction(turn)
  return (
    <>
      <Choice
        kind="switch"
        label={label}
        aria-label={name}
        hint={hint}
        checked={isOn}
        disabled={disabled}
        onChange={event => void change.run(event.currentTarget.checked).catch(() => undefined)}
      />
      <Problem of={change} />
    </>
  )
}

type SettingsOfProject = OwnedProject['config']
type Flag = {
  [K in keyof SettingsOfProject]: SettingsOfProject[K] extends boolean ? K : never
}[keyof SettingsOfProject]

interface SettingProps {
  readonly setting: Flag
  readonly label: string
  readonly hint?: string
}

/** A setting of the project that is on or off. */
export function SettingSwitch({ setting, ...words }: SettingProps): ReactNode {
  const { app, project } = useProject()
  return (
    <ActionSwitch
      {...words}
      isOn={project.config[setting]}
      turn={isOn => app.updateProject({ config: { [setting]: isOn } })}
    />
  )
}

interface SettingSelectProps {
  readonly setting: 'emailTheme' | 'oauthAccountMergeStrategy'
  readonly label: string
  readonly options: readonly Option[]
}

/** A setting of the project with several values. It changes at once. */
export function SettingSelect({ setting, label, options }: SettingSelectProps): ReactNode {
  const { app, project } = useProject()
  const change = useAction((value: string) => app.updateProject({ config: { [setting]: value } }))
  return (
    <>
      <Select
        className="narrow"
        label={label}
        value={project.config[setting]}
        options={options}
        onChange={event => void change.run(event.currentTarget.value).catch(() => undefined)}
      />
      <Problem of={change} />
    </>
  )
}
