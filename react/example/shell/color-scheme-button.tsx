import { MoonIcon, SunIcon } from '@heroicons/react/24/outline'
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'

/** Light or dark; the system's scheme until one is chosen. */
export function ColorSchemeButton(): ReactNode {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={isDark ? 'Use light colours' : 'Use dark colours'}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <SunIcon width={20} /> : <MoonIcon width={20} />}
    </ActionIcon>
  )
}
