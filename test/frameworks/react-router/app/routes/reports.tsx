import { isRouteErrorResponse, useRouteError } from 'react-router'
import type { LoaderFunctionArgs } from 'react-router'
import { guard } from '../server.server'

export async function loader(args: LoaderFunctionArgs) {
  await guard(args, { signedIn: true, can: 'read_reports' })
  return null
}

export default function Reports() {
  return <h1>Reports</h1>
}

export function ErrorBoundary() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 403) return <h1>You may not see this page</h1>
  throw error
}
