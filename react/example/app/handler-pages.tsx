import type { ComponentType, ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { Route } from 'wouter'
import { TeamInvitationPage } from '../handlers/team-invitation'
import { WelcomePage } from '../home/home-page'
import { AccountSettingsPage } from '../settings/account-settings-page'
import { signInPages } from '../sign-in/pages'

interface Area {
  /** The frame around the pages for signed-in users. */
  readonly frame: ComponentType<{ readonly children: ReactNode }>
  /** By the end of their addresses. */
  readonly pages?: Readonly<Record<string, ComponentType>>
}

/** A page per address of the kit's `urls`: the same for the product and for the admin area, but for the frame. */
export function handlerPages({ frame, pages = signInPages }: Area): ReactNode {
  return (
    <>
      <Route path="/welcome" component={WelcomePage} />
      {Object.entries(pages).map(([name, component]) => (
        <Route key={name} path={`/handler/${name}`} component={component} />
      ))}
      <Route path="/handler/team-invitation" component={TeamInvitationPage} />
      <Route path="/handler/account-settings/:section?">
        {({ section }) => (
          <SignedIn frame={frame}>
            <AccountSettingsPage section={section} />
          </SignedIn>
        )}
      </Route>
    </>
  )
}

/** A page for signed-in users in its frame, which shows nothing of them to others. */
export function SignedIn({
  frame: Frame,
  children,
}: Pick<Area, 'frame'> & { readonly children: ReactNode }): ReactNode {
  useUser({ or: 'redirect' })
  return <Frame>{children}</Frame>
}
