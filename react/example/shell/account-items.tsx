import { ArrowRightStartOnRectangleIcon, UserPlusIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { switchAccount } from 'rxauth'
import type { Account } from 'rxauth'
import { useApp } from 'rxauth/react'
import { MenuItem } from '../ui/menu'
import { useGo } from '../ui/navigation'
import { Picture } from '../ui/picture'
import { tellFailure } from '../ui/toasts'
import { useWords } from '../words/use-words'

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
            key={other.id}
            icon={<Picture url={other.profileImageUrl} name={name} size={24} />}
            onClick={() => void change(other).catch(tellFailure)}
          >
            {other.needsSignIn ? words.signInAgain(name) : words.switchTo(name)}
          </MenuItem>
        )
      })}
      <MenuItem icon={<UserPlusIcon />} onClick={add}>
        {words.addAccount}
      </MenuItem>
      {others.length > 0 && (
        <MenuItem icon={<ArrowRightStartOnRectangleIcon />} onClick={leave}>
          {words.signOutOfAll}
        </MenuItem>
      )}
      <hr />
    </>
  )
}
