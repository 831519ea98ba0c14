import { Center, Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** The end of the code, as the terminal shows it, to tell two logins apart. */
const comparedLength = 6

/** Asks the user to compare the address of the page with that in the terminal. */
export function CliCode({ loginCode }: { readonly loginCode: string }): ReactNode {
  return (
    <>
      <Text size="sm" ta="center">
        Compare: the address in your terminal ends with
      </Text>
      <Center>
        <Code fz="lg" px="md" py={6} fw={600} aria-label="End of the address">
          {loginCode.slice(-comparedLength)}
        </Code>
      </Center>
    </>
  )
}
