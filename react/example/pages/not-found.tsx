import type { ReactNode } from 'react'
import { HandlerPage } from '../components/handler-page'
import { Link } from '../router'

export function NotFoundPage(): ReactNode {
  return (
    <HandlerPage title="There is no such page">
      <Link to="/">Go to the first page</Link>
    </HandlerPage>
  )
}
