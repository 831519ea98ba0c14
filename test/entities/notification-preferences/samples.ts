import type { Samples } from '../../flows/samples'

const marketingId = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c'

export const samples: Samples = {
  sparse: {
    shapes: {
      preference: {
        notification_category_id: 'n',
        notification_category_name: 'Marketing',
        enabled: true,
        can_disable: true,
      },
    },
    answers: {
      'client|server GET /emails/notification-preference/{}': { items: 'preference' },
      'client|server PATCH /emails/notification-preference/{}/{}': 'preference',
    },
  },
  client: {
    updateNotificationPreference: {
      fills: ['notificationPreferences$'],
      write: ({ app }) => app.updateNotificationPreference({ notificationCategoryId: marketingId, enabled: false }),
    },
  },
  server: {
    updateNotificationPreferenceById: {
      fills: ['notificationPreferencesOf$ ada'],
      write: ({ app, ids }) =>
        app.updateNotificationPreferenceById({
          userId: ids.ada,
          notificationCategoryId: marketingId,
          enabled: false,
        }),
    },
  },
}
