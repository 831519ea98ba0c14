import type { ReactNode } from 'react'
import { useApp, useCan } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { Section } from '../../ui/section'
import { tell, tellFailure } from '../../ui/toasts'
import type { OfTeam } from '../of-team'

/** Leaves or deletes the team; then the page closes. */
export function TeamDangerZone({ team: { id: teamId, displayName } }: OfTeam): ReactNode {
  const app = useApp()
  const mayDelete = useCan({ permissionId: '$delete_team', teamId })
  return (
    <>
      <Section
        title="Leave team"
        description="You need a new invitation to come back."
        isDangerous
        action={
          <ConfirmButton
            question="Leave this team?"
            consequence={`You can no longer see or change anything of ${displayName}. You need a new invitation to come back.`}
            answer="Leave team"
            run={() => gone(app.leaveTeam({ teamId }), `You have left ${displayName}.`)}
          >
            Leave team
          </ConfirmButton>
        }
      />
      {mayDelete && (
        <Section
          title="Delete team"
          description="The team and everything that belongs to it will be deleted for good, for all members."
          isDangerous
          action={
            <ConfirmButton
              kind="danger"
              question="Delete this team?"
              consequence={`${displayName}, its members' access, its invitations and its API keys will be deleted for good. This cannot be undone.`}
              answer="Delete team for good"
              run={() => gone(app.deleteTeam({ teamId }), `${displayName} has been deleted.`)}
            >
              Delete team
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
