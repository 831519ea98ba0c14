import { sessions$, view } from 'rxauth'
import { formerSession, one } from '../../flows/samples'
import type { Samples } from '../../flows/samples'

const formerSessions$ = view(sessions$, all =>
  all.filter(({ createdAt }) => createdAt.getTime() === formerSession.createdAt.getTime()),
)

export const samples: Samples = {
  client: {
    revokeSession: { fills: ['sessions$'], write: ({ app, ids }) => app.revokeSession({ sessionId: ids.session }) },
  },
  server: {
    createSession: { write: ({ app, ids }) => app.createSession({ userId: ids.ada }) },
    revokeSessionById: {
      fills: ['sessionsOf$ ada'],
      write: ({ app, ids }) => app.revokeSessionById({ userId: ids.ada, sessionId: ids.session }),
    },
  },
  owned: [
    {
      name: 'who ends another session',
      route: 'DELETE /auth/sessions/{sessionId}',
      isRepeated: true,
      prepare: async app => (await formerSessions$(app).get())[0]!.id,
      store: app => formerSessions$(app),
      write: (app, sessionId) => app.revokeSession({ sessionId }),
      isDone: (shown, id) => one(shown, id) === undefined,
    },
  ],
}
