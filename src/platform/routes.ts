import { currentUserRoutes } from './routes/current-user'
import { oauthTokenRoutes } from './routes/oauth-token'
import { passwordRoutes } from './routes/password'
import { projectRoutes } from './routes/projects'
import { rootRoutes } from './routes/root'
import { sessionRoutes } from './routes/sessions'
import { compile, patternOf } from './router'

/** Everything that the platform answers, one file per resource. */
export const routes = [
  ...rootRoutes,
  ...passwordRoutes,
  ...oauthTokenRoutes,
  ...sessionRoutes,
  ...currentUserRoutes,
  ...projectRoutes,
]

/** `METHOD path` of every address that the platform serves. */
export function servedRoutes(): readonly string[] {
  return compile(routes).map(patternOf)
}
