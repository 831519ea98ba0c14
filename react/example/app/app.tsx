import { HomeIcon, PencilSquareIcon, UsersIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Route, Switch } from 'wouter'
import { NotFoundPage } from '../handlers/not-found'
import { HomePage } from '../home/home-page'
import { NotesPage } from '../notes/notes-page'
import { AuthFrameExtras } from '../shell/auth-frame'
import { Brand } from '../shell/brand'
import { ImpersonationBar } from '../shell/impersonation-bar'
import { InvitationsLink } from '../shell/invitations-link'
import { Screen } from '../shell/screen'
import { UserMenu } from '../shell/user-menu'
import { OwnInvitationsPage } from '../teams/own-invitations-page'
import { TeamPage } from '../teams/team-page'
import { TeamSwitcher } from '../teams/team-switcher'
import { MenuLink } from '../ui/menu'
import { LastKnown } from '../ui/with-store'
import { ColorSchemeButton } from './color-scheme'
import { BarLink, Foot, Frame, MailboxLink } from './frame'
import { handlerPages, SignedIn } from './handler-pages'
import { InLanguage, LanguageButton, LanguageItem } from './language'
import { RecordingItem } from './recording-item'
import { useOwnWords } from './words'

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

/** The frame of every page for users, and for guests. */
export function AppFrame({ children }: { readonly children: ReactNode }): ReactNode {
  const app = useApp()
  const words = useOwnWords()
  return (
    <Frame
      start={
        <>
          <Brand isCompact />
          <TeamSwitcher />
          <nav aria-label={words.main} className="auth-row tight oneline only-wide">
            <BarLink to="/">{words.home}</BarLink>
            <BarLink to="/notes">{words.notes}</BarLink>
            <BarLink to="/handler/team">{words.team}</BarLink>
          </nav>
        </>
      }
      end={
        <>
          <InvitationsLink />
          <MailboxLink isCompact />
          <ColorSchemeButton />
          <UserMenu
            hasAccounts
            below={
              <>
                <LanguageItem />
                <RecordingItem />
              </>
            }
          >
            {/* On narrow screens the bar has no room for them. */}
            <div role="presentation" className="only-narrow">
              <MenuLink to="/" icon={<HomeIcon />}>
                {words.home}
              </MenuLink>
              <MenuLink to="/notes" icon={<PencilSquareIcon />}>
                {words.notes}
              </MenuLink>
              <MenuLink to="/handler/team" icon={<UsersIcon />}>
                {words.team}
              </MenuLink>
            </div>
          </UserMenu>
        </>
      }
    >
      <LastKnown store={app.anyUser$} />
      {children}
    </Frame>
  )
}
