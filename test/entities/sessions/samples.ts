import type { Samples } from '../../flows/samples'

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
}
