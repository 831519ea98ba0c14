import type { ReactNode } from 'react'
import { PageFrame } from '../page-frame'
import { Data } from './data'
import { Time } from './time'

/** The platform's time and data. */
export function PlatformPage(): ReactNode {
  return (
    <PageFrame title="Time and data" description="Move the clock of the platform, and export or import its data.">
      <Time />
      <Data />
    </PageFrame>
  )
}
