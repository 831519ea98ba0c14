import type { ReactNode } from 'react'
import { signInMethods$ } from 'rxauth'
import type { Project, Snapshot } from 'rxauth'
import { useApp, useStore } from 'rxauth/react'
import { WithStore } from '../ui/with-store'
import { useWords } from '../words/use-words'

/** The project's sign-in methods. */
export type Methods = Project['config']

/** Public, and the same signed in and out. */
export function useMethods(): Snapshot<Project> {
  return useStore(useApp().project$)
}

interface Props {
  /** A placeholder as high as the form, so that the layout does not move. */
  readonly shape: ReactNode
  readonly children: (methods: Methods) => ReactNode
}

/** The form once the methods are known. */
export function WithMethods({ shape, children }: Props): ReactNode {
  const { signIn: words } = useWords()
  const app = useApp()
  // The browser is asked for its abilities meanwhile, so that all buttons come at once.
  useStore(signInMethods$(app))
  return (
    <WithStore store={app.project$} label={words.methods} shape={shape}>
      {project => children(project.config)}
    </WithStore>
  )
}
