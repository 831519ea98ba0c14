import type { ReactNode } from 'react'
import type { Session } from 'rxauth'
import { useAction, useApp, useValue } from 'rxauth/react'
import { Problem } from './problem'

const instant = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Where the person is signed in; each but this one can be ended. */
export function SessionsCard(): ReactNode {
  const app = useApp()
  const sessions = useValue(app.sessions$)
  return (
    <article>
      <h2>Where you are signed in</h2>
      <ul className="sessions">
        {sessions.map(session => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </article>
  )
}

function SessionRow({ session }: { readonly session: Session }): ReactNode {
  const app = useApp()
  const end = useAction(() => app.revokeSession({ sessionId: session.id }))
  const since = instant.format(session.createdAt)
  return (
    <li>
      <span>
        Since <time dateTime={session.createdAt.toISOString()}>{since}</time>
      </span>
      {session.isCurrentSession ? (
        <small>This one</small>
      ) : (
        <button
          className="secondary outline"
          aria-label={`End the session since ${since}`}
          onClick={() => void end.run()}
        >
          End it
        </button>
      )}
      <Problem of={end} />
    </li>
  )
}
