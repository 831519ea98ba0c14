import { Alert, Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Snapshot, Project } from 'rxauth'
import { useApp, useStore } from 'rxauth/react'
import { wordsFor } from '../app/words'

/** The project's sign-in methods. */
export type Methods = Project['config']

/** Public, and the same signed in and out. */
export function useMethods(): Snapshot<Project> {
  return useStore(useApp().project$)
}

interface Props {
  readonly methods: Snapshot<Project>
  /** A placeholder as high as the form. */
  readonly shape: ReactNode
  readonly children: (methods: Methods) => ReactNode
}

/** The form once the methods are known; until then its placeholder, so that the layout does not move. */
export function WithMethods({ methods, shape, children }: Props): ReactNode {
  const { project$ } = useApp()
  if (methods.status === 'ready') return children(methods.value.config)
  if (methods.status === 'pending') return shape
  return (
    <Alert color="red" role="alert">
      <Stack gap="sm" align="flex-start">
        {wordsFor(methods.error)}
        <Button
          variant="default"
          size="xs"
          loading={methods.refreshing}
          // The snapshot and this page show the next failure themselves.
          onClick={() => void project$.refresh().catch(() => undefined)}
        >
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}
