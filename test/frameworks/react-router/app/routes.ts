import { index, route } from '@react-router/dev/routes'
import type { RouteConfig } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('sign-in', 'routes/sign-in.tsx'),
  route('account', 'routes/account.tsx'),
  route('reports', 'routes/reports.tsx'),
] satisfies RouteConfig
