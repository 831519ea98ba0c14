import type { ReactNode } from 'react'
import { PageHeading } from '../ui/page-heading'

interface Props {
  readonly title: string
  readonly children: ReactNode
}

/** A page within the frame of an app: the heading, and one section below the other. */
export function Page({ title, children }: Props): ReactNode {
  return (
    <div className="auth contents">
      <div className="auth-stack loose">
        <PageHeading title={title} />
        {children}
      </div>
    </div>
  )
}
