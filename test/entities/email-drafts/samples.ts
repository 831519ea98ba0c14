import { createEmailDraft, deleteEmailDraft, updateEmailDraft } from 'rxauth/admin'
import type { Samples } from '../../flows/samples'

export const samples: Samples = {
  admin: {
    createEmailDraft: { wire: '2026', write: ({ app }) => createEmailDraft(app, { displayName: 'New' }) },
    updateEmailDraft: {
      fills: ['emailDraft$ draft', 'emailDrafts$'],
      wire: '2026',
      write: ({ app, ids }) => updateEmailDraft(app, { emailDraftId: ids.draft, displayName: 'New', themeId: false }),
    },
    deleteEmailDraft: {
      fills: ['emailDraft$ draft', 'emailDrafts$'],
      wire: '2026',
      write: ({ app, ids }) => deleteEmailDraft(app, { emailDraftId: ids.draft }),
    },
  },
}
