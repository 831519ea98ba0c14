import { createServerApp } from 'rxauth/server'
import type { Samples } from '../../flows/samples'
import { callbackUrl, codeFor, elseId, opsId, type Stage, type Write } from '../../flows/stage'
import { ada } from '../../world'

/** Invites Ada to a team at her address, which is then verified. */
async function inviteAda(stage: Stage): Promise<string> {
  const server = createServerApp(stage.platform.serverOptions)
  await server.updateUserById({ userId: stage.ids.ada, primaryEmailVerified: true })
  const { id } = await server.sendTeamInvitationById({ teamId: elseId, email: ada.email, callbackUrl })
  server.dispose()
  const { contactChannels$, anyUser$, ownTeamInvitations$ } = stage.app
  // The reference release lacks the last one.
  await Promise.allSettled([contactChannels$, anyUser$, ownTeamInvitations$].map(async store => store.refresh()))
  return id
}

const acceptByCode: Write = {
  async prepare(stage) {
    await inviteAda(stage)
    return codeFor(stage, ada.email)
  },
  write: ({ app }, code: string) => app.acceptTeamInvitation({ code }),
}

export const samples: Samples = {
  client: {
    sendTeamInvitation: {
      shown: ['teamInvitations$ ops'],
      write: ({ app }) => app.sendTeamInvitation({ teamId: opsId, email: 'eve@example.com', callbackUrl }),
    },
    revokeTeamInvitation: {
      fills: ['teamInvitations$ ops'],
      write: ({ app, ids }) => app.revokeTeamInvitation({ teamId: opsId, invitationId: ids.invitation }),
    },
    acceptTeamInvitation: acceptByCode,
    'acceptTeamInvitation, of 2026': { ...acceptByCode, wire: '2026' },
    acceptOwnTeamInvitation: {
      shown: ['ownTeamInvitations$', 'teams$'],
      wire: '2026',
      prepare: inviteAda,
      write: ({ app }, invitationId: string) => app.acceptOwnTeamInvitation({ invitationId }),
    },
  },
  server: {
    sendTeamInvitationById: {
      write: ({ app }) => app.sendTeamInvitationById({ teamId: opsId, email: 'eve@example.com', callbackUrl }),
    },
    revokeTeamInvitationById: {
      fills: ['teamInvitationsOf$ ops'],
      write: ({ app, ids }) => app.revokeTeamInvitationById({ teamId: opsId, invitationId: ids.invitation }),
    },
    acceptOwnTeamInvitationById: {
      wire: '2026',
      async prepare({ app, ids }) {
        await app.updateUserById({ userId: ids.ada, primaryEmailVerified: true })
        const { id } = await app.sendTeamInvitationById({ teamId: elseId, email: ada.email, callbackUrl })
        await app.ownTeamInvitationsOf$({ userId: ids.ada }).refresh()
        return id
      },
      write: ({ app, ids }, invitationId: string) => app.acceptOwnTeamInvitationById({ userId: ids.ada, invitationId }),
    },
  },
  reads: ['teamInvitationDetails', 'checkTeamInvitationCode'],
}
