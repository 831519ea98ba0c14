import type { ReactNode } from 'react'
import { Route, Router, Switch, useLocation } from 'wouter'
import { Foot } from '../app/frame'
import { handlerPages } from '../app/handler-pages'
import { adminBase } from '../app/navigation'
import { NotFoundPage } from '../handlers/not-found'
import { AuthFrameExtras } from '../shell/auth-frame'
import { AppNameProvider } from '../shell/brand'
import { Screen } from '../shell/screen'
import { signInPages } from '../sign-in/pages'
import { SignIn } from '../sign-in/sign-in-page'
import { StatusBadge } from '../ui/section'
import './admin.css'
import { AdminFrame } from './admin-frame'
import { ProjectPage } from './project/project-page'
import { ProjectsPage } from './projects/projects-page'

export { owner as app } from './owner'

/** The part of the example in which people run their projects, below `/admin`. */
export function Pages(): ReactNode {
  return (
    <AppNameProvider value="rxauth example">
      <AuthFrameExtras value={{ beside: <StatusBadge>Admin</StatusBadge>, foot: <Foot /> }}>
        <Router base={adminBase}>
          <AdminPages />
        </Router>
      </AuthFrameExtras>
    </AppNameProvider>
  )
}

/** A page per address of the admin area. The pages of one project are one page here, so that its kit stays. */
function AdminPages(): ReactNode {
  const [path] = useLocation()
  const [, area, projectId] = path.split('/')
  return (
    <Screen isWide name={area === 'projects' ? `${area}/${projectId ?? ''}` : path}>
      <Switch>
        <Route path="/" component={ProjectsPage} />
        <Route path="/projects/:projectId/:section?/:item?" component={ProjectPage} />
        {handlerPages({ frame: AdminFrame, pages: { ...signInPages, 'sign-in': AdminSignInPage } })}
        <Route component={NotFoundPage} />
      </Switch>
    </Screen>
  )
}

/** A user without an account owns no project. */
function AdminSignInPage(): ReactNode {
  return (
    <SignIn subtitle="To the admin area, where you run your projects. Its accounts are not those of the product." />
  )
}
