import type { ReactNode } from 'react'
import { PageHeading } from '../example/ui/section'
import { AdminFrame } from './console-frame'

interface Props {
  readonly title: string
  readonly description: string
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** The frame of a page about the platform itself. */
export function PageFrame({ title, description, action, children }: Props): ReactNode {
  return (
    <AdminFrame>
      <div className="auth-stack tight">
        <div className="auth-row between">
          <PageHeading title={title} />
          {action}
        </div>
        <p className="dim">{description}</p>
      </div>
      {children}
    </AdminFrame>
  )
}
