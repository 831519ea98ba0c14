import { Alert, Button, Divider, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Snapshot, Project } from 'rxauth'
import { useApp, useStore } from 'rxauth/react'
import { wordsFor } from '../app/words'

/** What the project lets people sign in with. */
export type Methods = Project['config']

/** Everybody may know them; they are the same signed in and out. */
export function useMethods(): Snapshot<Project> {
  return useStore(useApp().project$)
}

interface Props {
  readonly methods: Snapshot<Project>
  readonly children: (methods: Methods) => ReactNode
}

/** The form as soon as the methods are known; until then its shape, so that nothing jumps. */
export function WithMethods({ methods, children }: Props): ReactNode {
  const { project$ } = useApp()
  if (methods.status === 'ready') return children(methods.value.config)
  if (methods.status === 'pending') return <Shape />
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

/** How many there are, a build of yours knows as well as the project does. */
const expectedProviders = ['github', 'google']

/** As high as the form of this project. */
function Shape(): ReactNode {
  return (
    <Stack gap="lg" role="status" aria-busy="true" aria-label="Loading">
      <Stack gap="xs">
        {expectedProviders.map(id => (
          <Skeleton key={id} height={42} />
        ))}
      </Stack>
      <Divider label="or" />
      <Stack gap="md">
        <Stack gap={5}>
          <Skeleton height={18} width={110} my={2} />
          <Skeleton height={42} />
        </Stack>
        <Skeleton height={42} />
      </Stack>
      <Stack gap="xs">
        <Skeleton height={36} />
        <Skeleton height={36} />
      </Stack>
    </Stack>
  )
}
