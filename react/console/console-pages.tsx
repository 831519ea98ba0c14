import type { ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { ProjectPage } from '../example/admin/project/project-page'
import { ProjectsPage } from '../example/admin/projects/projects-page'
import { ColorSchemeButton } from '../example/app/color-scheme'
import { NotFoundPage } from '../example/handlers/not-found'
import { AuthFrameExtras } from '../example/shell/auth-frame'
import { AppNameProvider } from '../example/shell/brand'
import { NotKnownYet, Screen } from '../example/shell/screen'
import { FaultsPage } from './faults/faults-page'
import { projectId$ } from './local/live'
import { useLive } from './local/use-live'
import { MailboxPage } from './mailbox/mailbox-page'
import { PlatformPage } from './platform/platform-page'
import { RequestsPage } from './requests/requests-page'

/** A page per address behind the #. The pages of one project are one page here, so that its kit stays. */
export function ConsolePages(): ReactNode {
  const [path] = useLocation()
  const [, area = '', id = ''] = path.split('/')
  return (
    <AppNameProvider value="rxauth console">
      <AuthFrameExtras value={{ foot: <ColorSchemeButton /> }}>
        <Screen isWide name={area === 'projects' ? `${area}/${id}` : area}>
          <Switch>
            <Route path="/" component={HomePage} />
            <Route path="/projects" component={ProjectsPage} />
            <Route path="/projects/:projectId/:section?/:item?" component={ProjectPage} />
            <Route path="/mailbox/:mailId?" component={MailboxPage} />
            <Route path="/requests/:requestId?" component={RequestsPage} />
            <Route path="/faults" component={FaultsPage} />
            <Route path="/platform" component={PlatformPage} />
            <Route component={NotFoundPage} />
          </Switch>
        </Screen>
      </AuthFrameExtras>
    </AppNameProvider>
  )
}

/** The users of the platform's own project, the most used page. */
function HomePage(): ReactNode {
  const projectId = useLive(projectId$, null)
  return projectId === null ? <NotKnownYet isWide /> : <Redirect to={`/projects/${projectId}/users`} replace />
}
