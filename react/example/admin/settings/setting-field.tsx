import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction } from 'rxauth/react'
import { Problem } from '../../ui/alert'
import { ActionSwitch, type Option, Select } from '../../ui/field'
import { useProject } from '../project/project-context'

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
        onChange={event => void change.run(event.currentTarget.value)}
      />
      <Problem of={change} />
    </>
  )
}
