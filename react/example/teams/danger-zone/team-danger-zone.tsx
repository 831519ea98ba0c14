import type { ReactNode } from 'react'
import { useApp, useCan } from 'rxauth/react'
import { ConfirmButton } from '../../ui/dialog'
import { Section } from '../../ui/section'
import { tell, tellFailure } from '../../ui/toasts'
import type { TeamPageProps } from '../of-team'
import { useWords } from '../../words/use-words'

/** Leaves or deletes the team; then the page closes. */
export function TeamDangerZone({ team: { id: teamId, displayName } }: TeamPageProps): ReactNode {
  const app = useApp()
  const words = useWords().team.danger
  const mayDelete = useCan({ permissionId: '$delete_team', teamId })
  return (
    <>
      <Section
        title={words.leave}
        description={words.leaveText}
        isDangerous
        action={
          <ConfirmButton
            question={words.leaveQuestion}
            consequence={words.leaveConsequence(displayName)}
            answer={words.leave}
            run={() => gone(app.leaveTeam({ teamId }), words.left(displayName))}
          >
            {words.leave}
          </ConfirmButton>
        }
      />
      {mayDelete && (
        <Section
          title={words.delete}
          description={words.deleteText}
          isDangerous
          action={
            <ConfirmButton
              kind="danger"
              question={words.deleteQuestion}
              consequence={words.deleteConsequence(displayName)}
              answer={words.deleteAnswer}
              run={() => gone(app.deleteTeam({ teamId }), words.deleted(displayName))}
            >
              {words.delete}
            </ConfirmButton>
          }
        />
      )}
    </>
  )
}

/** The page closes before the answer, and opens again if the platform refuses. */
async function gone(going: Promise<unknown>, message: string): Promise<void> {
  await going.then(() => tell(message), tellFailure)
}
