import {
  ArrowRightStartOnRectangleIcon,
  Cog6ToothIcon,
  HomeIcon,
  PencilSquareIcon,
  Squares2X2Icon,
  UserPlusIcon,
  UsersIcon,
} from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useApp, useUser } from 'rxauth/react'
import { useLocation, useRouter } from 'wouter'
import { adminBase } from '../app/navigation'
import { Menu, MenuItem, MenuLink } from '../ui/menu'
import { Picture } from '../ui/picture'

/** The signed-in user, links to the user's pages, and the sign-out. */
export function UserMenu(): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'anonymous' })
  const { base } = useRouter()
  const [, goTo] = useLocation()
  if (!user) return null
  // Opens a page that needs no sign-in first; any other would redirect to the sign-in.
  const leave = () => {
    goTo('/')
    void app.signOut()
  }
  const name = user.isAnonymous ? 'Guest' : (user.displayName ?? user.primaryEmail ?? 'Account')
  return (
    <Menu
      className="round-button"
      label={`Account: ${name}`}
      button={<Picture url={user.profileImageUrl} name={name} size={34} />}
    >
      <div className="menu-label">
        <div className="strong cut">{name}</div>
        {user.primaryEmail !== null && <div className="cut">{user.primaryEmail}</div>}
      </div>
      <hr />
      {base === adminBase ? (
        <MenuLink to="/" icon={<Squares2X2Icon />}>
          Projects
        </MenuLink>
      ) : (
        // On narrow screens the bar has no room for them.
        <div role="presentation" className="only-narrow">
          <MenuLink to="/" icon={<HomeIcon />}>
            Home
          </MenuLink>
          <MenuLink to="/notes" icon={<PencilSquareIcon />}>
            Notes
          </MenuLink>
          <MenuLink to="/team" icon={<UsersIcon />}>
            Team
          </MenuLink>
        </div>
      )}
      {user.isAnonymous ? (
        <MenuLink to="/handler/sign-up" icon={<UserPlusIcon />}>
          Create an account
        </MenuLink>
      ) : (
        <MenuLink to="/handler/account-settings" icon={<Cog6ToothIcon />}>
          Account settings
        </MenuLink>
      )}
      <MenuItem icon={<ArrowRightStartOnRectangleIcon />} onClick={leave}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
