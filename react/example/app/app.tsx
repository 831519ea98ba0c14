import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { NotFoundPage } from '../handlers/not-found'
import { HomePage } from '../home/home-page'
import { NotesPage } from '../notes/notes-page'
import { Boundary } from '../shell/boundary'
import { NotKnownYet } from '../shell/not-known-yet'
import { OwnInvitationsPage } from '../teams/own-invitations-page'
import { TeamPage } from '../teams/team-page'
import { handlerPages } from './handler-pages'

/** The pages of the product: the app's own, and one per address of the kit's `urls`. */
export function App(): ReactNode {
  const [path] = useLocation()
  return (
    <Boundary key={path}>
      <Suspense fallback={<NotKnownYet />}>
        <Switch>
          <Route path="/" component={HomePage} />
          <Route path="/notes" component={NotesPage} />
          <Route path="/team/:section?">{({ section }) => <TeamPage section={section} />}</Route>
          <Route path="/invitations" component={OwnInvitationsPage} />
          {handlerPages}
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </Boundary>
  )
}
