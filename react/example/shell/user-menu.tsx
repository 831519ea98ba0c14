import { ArrowRightStartOnRectangleIcon, Cog6ToothIcon, UserPlusIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { otherAccounts$, switchAccount, type Account } from 'rxauth'
import { useApp, useAuth, useStore } from 'rxauth/react'
import { ButtonLink } from '../ui/button'
import { Menu, MenuItem, MenuLink } from '../ui/menu'
import { useGo } from '../ui/navigation'
import { Picture } from '../ui/picture'
import { tellFailure } from '../ui/toasts'
import { useWords } from '../words/use-words'

interface Props {
  /** Other entries, before those of the account: `MenuLink` and `MenuItem`. */
  readonly children?: ReactNode
  /** Entries between those of the account and the sign-out. */
  readonly below?: ReactNode
  /** Whether several people can be signed in, for an app with `accountTokens`. */
  readonly hasAccounts?: boolean
}

/** The signed-in user, links to the user's pages, and the sign-out; the sign-in for a visitor. */
export function UserMenu({ children, below, hasAccounts = false }: Props): ReactNode {
  const { account, shell: words, ui } = useWords()
  const app = useApp()
  const auth = useAuth()
  const go = useGo()
  // Watched while the menu is closed, so that the browser keeps the name of the user.
  const others = useStore(hasAccounts ? otherAccounts$(app) : null)
  // As large as the picture. It does not suspend the page of the app that the menu is in.
  if (auth.status === 'unknown')
    return (
      <div className="auth contents">
        <div className="auth-skeleton" style={{ width: 34, height: 34, borderRadius: '50%' }} />
      </div>
    )
  if (auth.status === 'signed-out') return <SignInLink />
  const { user } = auth
  // Opens a page that needs no sign-in first; any other would redirect to the sign-in.
  const leave = () => {
    go('/')
    void app.signOut()
  }
  const name = user.isAnonymous ? words.guest : (user.displayName ?? user.primaryEmail ?? words.noName)
  return (
    <Menu
      className="round-button"
      label={words.account(name)}
      button={<Picture url={user.profileImageUrl} name={name} size={34} />}
    >
      <div className="menu-label">
        <div className="strong breakable">{name}</div>
        {user.primaryEmail !== null && <div className="breakable">{user.primaryEmail}</div>}
      </div>
      <hr />
      {children}
      {user.isAnonymous ? (
        <MenuLink label={ui.signUp} to="/handler/sign-up" icon={<UserPlusIcon />} />
      ) : (
        <MenuLink label={account.title} to="/handler/account-settings" icon={<Cog6ToothIcon />} />
      )}
      {below}
      {hasAccounts && <AccountItems others={others.status === 'ready' ? others.value : []} />}
      <MenuItem label={ui.signOut} icon={<ArrowRightStartOnRectangleIcon />} onClick={leave} />
    </Menu>
  )
}

/** Returns to the present page. */
function SignInLink(): ReactNode {
  const { ui } = useWords()
  const app = useApp()
  return (
    <div className="auth contents">
      <ButtonLink
        label={ui.signIn}
        isSmall
        to="/handler/sign-in"
        onClick={event => {
          // A new tab or window is the browser's to open.
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          void app.redirectTo('signIn')
        }}
      />
    </div>
  )
}

/** The other people of this browser, to switch to, and the sign-in of one more. */
export function AccountItems({ others }: { readonly others: readonly Account[] }): ReactNode {
  const { shell: words } = useWords()
  const app = useApp()
  const go = useGo()
  const add = () => void app.redirectTo('signIn', { add: true }).catch(tellFailure)
  const change = async ({ id: userId }: Account) => {
    const switched = await switchAccount(app, { userId })
    if (!switched.ok && switched.reason === 'needs-sign-in') add()
  }
  const leave = () => {
    go('/')
    void app.signOut({ accounts: 'all' })
  }
  return (
    <>
      <hr />
      {others.map(other => {
        const name = other.displayName ?? other.primaryEmail ?? words.noName
        return (
          <MenuItem
            label={other.needsSignIn ? words.signInAgain(name) : words.switchTo(name)}
            key={other.id}
            icon={<Picture url={other.profileImageUrl} name={name} size={24} />}
            onClick={() => void change(other).catch(tellFailure)}
          />
        )
      })}
      <MenuItem label={words.addAccount} icon={<UserPlusIcon />} onClick={add} />
      {others.length > 0 && (
        <MenuItem label={words.signOutOfAll} icon={<ArrowRightStartOnRectangleIcon />} onClick={leave} />
      )}
      <hr />
    </>
  )
}
