import { Alert, Button, Container, Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { isAuthError } from 'rxauth'
import type { AuthError } from 'rxauth'
import { useApp } from 'rxauth/react'
import { useRouter } from 'wouter'
import { adminBase } from '../app/navigation'
import { wordsFor } from '../app/words'

interface Props {
  readonly error?: AuthError | undefined
  /** As wide as pages of the admin area, which are wider. */
  readonly isWide?: boolean
}

/** A page's placeholder until the user is known, with a button to try again if loading fails. */
export function NotKnownYet({ error, isWide }: Props): ReactNode {
  const app = useApp()
  const { base } = useRouter()
  const { online } = useNetwork()
  // `auth$` has the result, and shows this page.
  const tryAgain = () => void app.user$.refresh().catch(() => undefined)
  return (
    // The outline in index.html is the same.
    <Container component="main" size={(isWide ?? base === adminBase) ? 1200 : 1040}>
      <VisuallyHidden component="h1">One moment…</VisuallyHidden>
      <Group justify="space-between" h={60} mb={{ base: 'md', sm: 'xl' }}>
        <Skeleton width={110} height={24} />
        <Skeleton width={36} height={36} circle />
      </Group>
      <Stack>
        {!online && (
          <Alert color="yellow" role="status">
            You are offline. This page continues when you are connected.
          </Alert>
        )}
        {online && error && (
          <Alert color="red" role="alert">
            <Group justify="space-between" gap="sm">
              {isAuthError(error) && wordsFor(error)}
              <Button size="compact-sm" variant="default" onClick={tryAgain}>
                Try again
              </Button>
            </Group>
          </Alert>
        )}
        <Stack role="status" aria-busy={!error} aria-label="Loading">
          <Skeleton width="40%" height={28} animate={!error} />
          <Skeleton height={140} radius="lg" animate={!error} />
          <Skeleton height={140} radius="lg" animate={!error} />
        </Stack>
      </Stack>
    </Container>
  )
}
