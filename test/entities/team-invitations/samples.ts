import { orThrow } from 'rxauth'
import type { ClientApp, Store } from 'rxauth'
import type { Platform } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { field, nothing, one } from '../../flows/samples'
import type { Row, Samples } from '../../flows/samples'
import { callbackUrl, codeFor, elseId, opsId } from '../../flows/stage'
import type { Stage, Write } from '../../flows/stage'
import { ada } from '../../world'

const teamId = opsId
const invitationsOf = (app: ClientApp): Store<readonly Row[]> => app.teamInvitations$({ teamId })
const invitation = async (app: ClientApp) =>
  (await app.sendTeamInvitation({ teamId, email: 'eve@example.com', callbackUrl })).id

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

/** Invites the user, whose address is then verified, to another team; the invitation's id. */
async function ownInvitation(app: ClientApp, { serverOptions }: Platform): Promise<string> {
  const { id: userId, primaryEmail } = (await app.user$.get())!
  const server = createServerApp(serverOptions)
  await server.updateUserById({ userId, primaryEmailVerified: true })
  const { id: lab } = orThrow(await server.createTeamById({ displayName: 'Lab' }))
  const { id } = await server.sendTeamInvitationById({ teamId: lab, email: primaryEmail!, callbackUrl })
  server.dispose()
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
      write: ({ app }) => app.sendTeamInvitation({ teamId: opsId, email: 'eve@example.com', callbackUrl }),
    },
    revokeTeamInvitation: {
      fills: ['teamInvitations$ ops'],
      write: ({ app, ids }) => app.revokeTeamInvitation({ teamId: opsId, invitationId: ids.invitation }),
    },
    acceptTeamInvitation: acceptByCode,
    'acceptTeamInvitation, of 2026': { ...acceptByCode, wire: '2026' },
    acceptOwnTeamInvitation: {
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
  owned: [
    {
      name: 'who invites a user to a team',
      route: 'POST /team-invitations/send-code',
      isRepeated: false,
      prepare: nothing,
      store: invitationsOf,
      write: app => app.sendTeamInvitation({ teamId, email: 'new@example.com', callbackUrl }),
      isDone: shown => shown.some(row => field(row, 'recipientEmail') === 'new@example.com'),
    },
    {
      name: 'who takes an invitation back',
      route: 'DELETE /team-invitations/{invitationId}',
      isRepeated: true,
      prepare: invitation,
      store: invitationsOf,
      write: (app, invitationId) => app.revokeTeamInvitation({ teamId, invitationId }),
      isDone: (shown, id) => one(shown, id) === undefined,
    },
    {
      name: 'who accepts an invitation in the app',
      route: 'POST /team-invitations/{invitationId}/accept',
      isRepeated: false,
      wire: '2026',
      prepare: ownInvitation,
      store: app => app.teams$,
      write: (app, invitationId) => app.acceptOwnTeamInvitation({ invitationId }),
      isDone: shown => shown.some(row => field(row, 'displayName') === 'Lab'),
    },
  ],
}
