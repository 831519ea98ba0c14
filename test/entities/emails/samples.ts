import type { Samples } from '../../flows/samples'
import { mailServer } from '../../flows/stage'

export const samples: Samples = {
  server: {
    'sendEmail, into the outbox': {
      wire: '2026',
      write: ({ app }) => app.sendEmail({ allUsers: true, html: '<p>News</p>' }),
    },
  },
  mails: {
    sendEmail: {
      write: ({ app, ids }) =>
        app.sendEmail({
          userIds: [ids.ada],
          subject: 'News',
          html: '<p>News</p>',
          notificationCategoryName: 'Marketing',
        }),
    },
  },
  admin: {
    sendTestEmail: {
      write: ({ app }) => app.sendTestEmail({ recipientEmail: 'ada@example.com', emailConfig: mailServer }),
    },
    sendSignInInvitation: {
      write: ({ app }) => app.sendSignInInvitation({ email: 'new@example.com', callbackUrl: 'http://localhost:3000/' }),
    },
  },
}
