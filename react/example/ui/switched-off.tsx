import type { ReactNode } from 'react'
import type { Project } from 'rxauth'
import { useWords } from '../words/use-words'

interface Props {
  /** The project setting that switches it on. Shown for developers: leave it out of your app. */
  readonly setting: keyof Project['config']
  readonly children: ReactNode
}

/** Shown instead of a feature that is switched off in the project. */
export function SwitchedOff({ setting, children }: Props): ReactNode {
  const { ui } = useWords()
  return (
    <p className="dim" role="status">
      {ui.isOff(children, <code>{setting}</code>)}
    </p>
  )
}
