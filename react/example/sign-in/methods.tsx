import { Alert, Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Snapshot, Project } from 'rxauth'
import { useApp, useStore } from 'rxauth/react'
import { wordsFor } from '../app/words'

/** What the project lets people sign in with. */
export type Methods = Project['config']

/** They are public, and the same signed in and out. */
export function useMethods(): Snapshot<Project> {
  return useStore(useApp().project$)
}

interface Props {
  readonly methods: Snapshot<Project>
  /** What has the form's height while they are not known. */
  readonly shape: ReactNode
  readonly children: (methods: Methods) => ReactNode
}

/** The form as soon as the methods are known; until then its shape, so that nothing jumps. */
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
          // Failing again changes nothing: the snapshot says so, and so does this.
          onClick={() => void project$.refresh().catch(() => undefined)}
        >
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}
