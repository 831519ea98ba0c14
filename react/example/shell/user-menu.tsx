import {
  ArrowRightStartOnRectangleIcon,
  Cog6ToothIcon,
  HomeIcon,
  PencilSquareIcon,
  Squares2X2Icon,
  UserPlusIcon,
  UsersIcon,
} from '@heroicons/react/24/outline'
import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useApp, useUser } from 'rxauth/react'
import { Link, useLocation, useRouter } from 'wouter'
import { adminBase } from '../app/navigation'

/** The signed-in user, links to the user's pages, and the sign-out. */
export function UserMenu(): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'anonymous' })
  const { base } = useRouter()
  const [, goTo] = useLocation()
  // On narrow screens the bar has no room for them.
  const isNarrow = useMediaQuery('(max-width: 48em)')
  if (!user) return null
  // Opens a page that needs no sign-in first; any other would redirect to the sign-in.
  const leave = () => {
    goTo('/')
    void app.signOut()
  }
  const name = user.isAnonymous ? 'Guest' : (user.displayName ?? user.primaryEmail ?? 'Account')
  return (
    <Menu
      position="bottom-end"
      width={240}
      shadow="md"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      menuItemTabIndex={0}
    >
      <Menu.Target>
        <UnstyledButton className="round">
          <span aria-hidden="true">
            <Avatar src={user.profileImageUrl} name={name} color="brand" variant="filled" size={36} alt="" />
          </span>
          <VisuallyHidden>Account: {name}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text component="div" size="sm" fw={600} c="bright" truncate>
            {name}
          </Text>
          {user.primaryEmail !== null && (
            <Text component="div" size="xs" truncate>
              {user.primaryEmail}
            </Text>
          )}
        </Menu.Label>
        <Menu.Divider />
        {base === adminBase && (
          <Item to="/" icon={<Squares2X2Icon width={18} />}>
            Projects
          </Item>
        )}
        {isNarrow && base !== adminBase && (
          <>
            <Item to="/" icon={<HomeIcon width={18} />}>
              Home
            </Item>
            <Item to="/notes" icon={<PencilSquareIcon width={18} />}>
              Notes
            </Item>
            <Item to="/team" icon={<UsersIcon width={18} />}>
              Team
            </Item>
          </>
        )}
        {user.isAnonymous ? (
          <Item to="/handler/sign-up" icon={<UserPlusIcon width={18} />}>
            Create an account
          </Item>
        ) : (
          <Item to="/handler/account-settings" icon={<Cog6ToothIcon width={18} />}>
            Account settings
          </Item>
        )}
        <Menu.Item leftSection={<ArrowRightStartOnRectangleIcon width={18} />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface ItemProps {
  readonly to: string
  readonly icon: ReactNode
  readonly children: ReactNode
}

function Item({ to, icon, children }: ItemProps): ReactNode {
  return (
    <Link href={to} asChild>
      <Menu.Item component="a" leftSection={icon}>
        {children}
      </Menu.Item>
    </Link>
  )
}
