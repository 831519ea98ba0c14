import type { ReactNode } from 'react'
import type { Session } from 'rxauth'
import { placeOf } from '../../settings/sessions/sessions'
import { ConfirmButton } from '../../ui/confirm-button'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { Instant, minuteOf } from '../../ui/instant'
import { useWords } from '../../words/use-words'
import { useProject } from '../project/project-context'

interface Props {
  readonly userId: string
  readonly name: string
}

/** The user's sessions, with those of impersonation; each can be ended. */
export function UserSessions({ userId, name }: Props): ReactNode {
  const { app } = useProject()
  return (
    <Section
      title="Sessions"
      description="Where the user is signed in. In an impersonation, a member of your team uses the product as this user."
    >
      <StoreList store={app.allSessionsOf$({ userId })} label="Sessions" empty="The user has no sessions.">
        {session => <SessionRow key={session.id} session={session} name={name} />}
      </StoreList>
    </Section>
  )
}

function SessionRow({ session, name }: { readonly session: Session; readonly name: string }): ReactNode {
  const { app } = useProject()
  const { id: sessionId, userId, createdAt, isImpersonation, lastUsedAtEndUserIpInfo } = session
  const since = minuteOf(createdAt, useWords())
  const words = isImpersonation
    ? {
        started: 'Started by your team',
        button: 'End',
        name: `End the impersonation since ${since}`,
        question: 'End this impersonation?',
        consequence: `The member of your team who uses the product as ${name} since ${since} will be signed out there.`,
        answer: 'End impersonation',
      }
    : {
        started: 'Signed in',
        button: 'Revoke',
        name: `Revoke the session since ${since}`,
        question: 'Revoke this session?',
        consequence: `The browser or device of ${name} that signed in on ${since} has to sign in again.`,
        answer: 'Revoke session',
      }
  const place = placeOf(lastUsedAtEndUserIpInfo)
  const started = (
    <>
      {words.started} <Instant at={createdAt} />
    </>
  )
  return (
    <Row
      title={place ?? started}
      badges={isImpersonation && <StatusBadge kind="warning">Impersonation</StatusBadge>}
      detail={place !== null && started}
      action={
        <ConfirmButton
          isSmall
          aria-label={words.name}
          question={words.question}
          consequence={words.consequence}
          answer={words.answer}
          run={() => app.revokeSessionById({ userId, sessionId })}
        >
          {words.button}
        </ConfirmButton>
      }
    />
  )
}
