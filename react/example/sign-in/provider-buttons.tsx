import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from '../ui/problem'
import { InAppNotice, LastUsed, useMethodHere } from './method-here'
import { providerOf } from './providers'

/** One button per provider, with its logo and prescribed text. */
export function ProviderButtons({ ids }: { readonly ids: readonly string[] }): ReactNode {
  return (
    <Stack gap="xs">
      {ids.map(id => (
        <ProviderButton key={id} id={id} />
      ))}
    </Stack>
  )
}

/** Redirects to the provider. */
function ProviderButton({ id }: { readonly id: string }): ReactNode {
  const app = useApp()
  const { name, mark } = providerOf(id)
  const here = useMethodHere(id)
  const leave = useAction(() => app.signInWithOAuth({ provider: id }))
  return (
    <>
      <Button
        variant="default"
        size="md"
        leftSection={mark}
        rightSection={here?.lastUsed && <LastUsed />}
        loading={leave.status === 'running'}
        onClick={() => void leave.run().catch(() => undefined)}
      >
        Continue with {name}
      </Button>
      <InAppNotice of={here} what={name} />
      <Problem of={leave} />
    </>
  )
}
