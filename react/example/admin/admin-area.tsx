import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { Route, Router, Switch, useLocation } from 'wouter'
import { handlerPages } from '../app/handler-pages'
import { adminBase } from '../app/navigation'
import { NotFoundPage } from '../handlers/not-found'
import { Boundary } from '../shell/boundary'
import { NotKnownYet } from '../shell/not-known-yet'
import './admin.css'
import { ProjectPage } from './project/project-page'
import { ProjectsPage } from './projects/projects-page'

export { owner as app } from './owner'

/** The part of the example in which people run their projects, below `/admin`. */
export function Pages(): ReactNode {
  return (
    <Router base={adminBase}>
      <AdminPages />
    </Router>
  )
}

/** A page per address of the admin area. The pages of one project are one page here, so that its kit stays. */
function AdminPages(): ReactNode {
  const [path] = useLocation()
  const [, area, projectId] = path.split('/')
  return (
    <Boundary key={area === 'projects' ? `${area}/${projectId ?? ''}` : path}>
      <Suspense fallback={<NotKnownYet />}>
        <Switch>
          <Route path="/" component={ProjectsPage} />
          <Route path="/projects/:projectId/:section?/:item?" component={ProjectPage} />
          {handlerPages}
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </Boundary>
  )
}
