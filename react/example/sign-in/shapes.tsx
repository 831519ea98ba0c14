import { Divider, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** Set the number of providers for your own project here. */
const expectedProviders = ['github', 'google']

/** As high as this project's sign-in form, so that the layout does not move. */
export function SignInShape(): ReactNode {
  return (
    <Shape>
      <Stack gap="md">
        <Field />
        <Skeleton height={42} />
      </Stack>
      <Stack gap="xs">
        <Skeleton height={42} />
        <Skeleton height={42} />
      </Stack>
    </Shape>
  )
}

/** As high as the sign-up form. */
export function SignUpShape(): ReactNode {
  return (
    <Shape>
      <Stack gap="md">
        <Field />
        <Field isDescribed />
        <Skeleton height={42} />
      </Stack>
      <Skeleton height={36} />
    </Shape>
  )
}

function Shape({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Stack gap="lg" role="status" aria-busy="true" aria-label="Loading">
      <Stack gap="xs">
        {expectedProviders.map(id => (
          <Skeleton key={id} height={42} />
        ))}
      </Stack>
      <Divider label="or" />
      {children}
    </Stack>
  )
}

function Field({ isDescribed = false }: { readonly isDescribed?: boolean }): ReactNode {
  return (
    <Stack gap={5}>
      <Skeleton height={18} width={110} my={2} />
      {isDescribed && <Skeleton height={18} width={150} />}
      <Skeleton height={42} />
    </Stack>
  )
}
