import type { ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { DisplayNameForm } from './display-name-form'

/** What the platform knows of the signed-in user. */
export function AccountCard(): ReactNode {
  const user = useUser({ or: 'anonymous' })
  if (!user) return null
  const name = user.displayName ?? user.primaryEmail ?? '?'
  return (
    <article>
      <header className="person">
        <span className="avatar" aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
        <div>
          <h2>{user.displayName ?? 'No name yet'}</h2>
          <p>{user.primaryEmail ?? 'no e-mail address'}</p>
        </div>
      </header>
      <DisplayNameForm displayName={user.displayName} />
      <dl>
        <dt>E-mail</dt>
        <dd>
          {user.primaryEmail === null ? (
            'none'
          ) : (
            <>
              {user.primaryEmail} <small>{user.primaryEmailVerified ? 'verified' : 'not verified yet'}</small>
            </>
          )}
        </dd>
        <dt>Member since</dt>
        <dd>{user.signedUpAt.toLocaleDateString(undefined, { dateStyle: 'long' })}</dd>
        <dt>User id</dt>
        <dd>
          <code>{user.id}</code>
        </dd>
      </dl>
    </article>
  )
}
