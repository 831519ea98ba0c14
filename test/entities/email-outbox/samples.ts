import { cancelEmail, pauseEmail, resumeEmail, retryEmail, updateOutboxEmail, type RequestApp } from 'rxauth/server'
import type { Samples } from '../../flows/samples'
import type { Write } from '../../flows/stage'

/** A change of the mail that waits in the outbox. */
const ofMail = (
  change: (app: RequestApp, mail: { readonly emailId: string }) => Promise<unknown>,
): Write<RequestApp> => ({
  fills: ['outboxEmail$ email'],
  wire: '2026',
  write: ({ app, ids }) => change(app, { emailId: ids.email }),
})

export const samples: Samples = {
  server: {
    pauseEmail: ofMail(pauseEmail),
    resumeEmail: {
      fills: ['outboxEmail$ email'],
      wire: '2026',
      prepare: ({ app, ids }) => pauseEmail(app, { emailId: ids.email }),
      write: ({ app, ids }) => resumeEmail(app, { emailId: ids.email }),
    },
    cancelEmail: ofMail(cancelEmail),
    retryEmail: ofMail(retryEmail),
    updateOutboxEmail: ofMail((app, mail) => updateOutboxEmail(app, { ...mail, scheduledAt: new Date('2101-01-01') })),
  },
}
