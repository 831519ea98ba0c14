import type { ReactNode } from 'react'
import { Route, Switch } from 'wouter'
import { NotFoundPage } from '../handlers/not-found'
import { HomePage } from '../home/home-page'
import { NotesPage } from '../notes/notes-page'
import { AuthFrameExtras } from '../shell/auth-frame'
import { ImpersonationBar } from '../shell/impersonation-bar'
import { Screen } from '../shell/screen'
import { OwnInvitationsPage } from '../teams/own-invitations-page'
import { TeamPage } from '../teams/team-page'
import { AppFrame } from './app-frame'
import { Foot } from './frame'
import { handlerPages, SignedIn } from './handler-pages'
import { InLanguage, LanguageButton } from './language'

/** The pages of the product: the app's own, and one per address of the kit's `urls`. */
export function App(): ReactNode {
  return (
    <InLanguage>
      <AuthFrameExtras
        value={{
          foot: (
            <Foot>
              <LanguageButton />
            </Foot>
          ),
        }}
      >
        <Screen>
          <Switch>
            <Route path="/" component={HomePage} />
            <Route path="/notes" component={NotesPage} />
            <Route path="/handler/team/:section?">
              {({ section }) => (
                <SignedIn frame={AppFrame}>
                  <TeamPage section={section} />
                </SignedIn>
              )}
            </Route>
            <Route path="/handler/invitations">
              <SignedIn frame={AppFrame}>
                <OwnInvitationsPage />
              </SignedIn>
            </Route>
            {handlerPages({ frame: AppFrame })}
            <Route component={NotFoundPage} />
          </Switch>
        </Screen>
        <ImpersonationBar />
      </AuthFrameExtras>
    </InLanguage>
  )
}
