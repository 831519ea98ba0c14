import { createRootRoute, createRoute, createRouter, RouterProvider as TanStackProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, isRouteErrorResponse, useRouteError } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { onIdentityChange, type Need } from 'rxauth'
import { pages, type Start } from './scenario'
import { holdsFor } from './scenes'

function rendered(node: ReactNode): () => void {
  const root = createRoot(document.body.appendChild(document.createElement('main')), { onCaughtError: () => undefined })
  root.render(node)
  return () => root.unmount()
}

const reactRouter: Start = async ({ app, file }) => {
  const { guard } = await file<{ guard(request: Request, need: Need): unknown }>('src/react-router-guard.ts')
  const Failed = () => {
    const error = useRouteError()
    return isRouteErrorResponse(error) && error.status === 403 ? 'Forbidden' : 'Failed'
  }
  const router = createBrowserRouter(
    Object.entries(pages).map(([path, { text, need }]) => ({
      path,
      ...(need && { loader: ({ request }: { readonly request: Request }) => guard(request, need) }),
      element: text,
      ErrorBoundary: Failed,
      HydrateFallback: () => null,
    })),
  )
  const unmount = rendered(<RouterProvider router={router} />)
  const stop = onIdentityChange(app, () => void router.revalidate())
  return {
    go: (path, replace = false) => void router.navigate(path, { replace }),
    dispose() {
      stop()
      unmount()
      router.dispose()
    },
  }
}

const tanStack: Start = async ({ app, file }) => {
  type Guard = (location: { readonly href: string }, need: Need) => Promise<object>
  const { guard } = await file<{ guard: Guard }>('src/tanstack-router-guard.ts')
  const root = createRootRoute()
  const routes = Object.entries(pages).map(([path, { text, need }]) =>
    createRoute({
      getParentRoute: () => root,
      path,
      ...(need && { beforeLoad: ({ location }) => guard(location, need) }),
      component: () => text,
      errorComponent: ({ error }) => (error as Error).message,
    }),
  )
  const router = createRouter({ routeTree: root.addChildren(routes) })
  const unmount = rendered(<TanStackProvider router={router} />)
  const stop = onIdentityChange(app, () => void router.invalidate())
  return {
    go: (href, replace = false) => void router.navigate({ href, replace }),
    dispose() {
      stop()
      unmount()
    },
  }
}

describe('the guard for React Router', () => holdsFor(reactRouter))
describe('the guard for TanStack Router', () => holdsFor(tanStack))
