import { Center, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { AuthFrame } from '../shell/auth-frame'

/** A page whose request is running. */
export function Waiting({ title }: { readonly title: string }): ReactNode {
  return (
    <AuthFrame title={title}>
      <Center role="status" aria-busy="true" aria-label="One moment">
        <Loader />
      </Center>
    </AuthFrame>
  )
}
