import { createEmailTheme, deleteEmailTheme, updateEmailTheme } from 'rxauth/admin'
import type { Samples } from '../../flows/samples'

const theme = 'export function EmailTheme({ children }) { return <main>{children}</main> }'

export const samples: Samples = {
  admin: {
    createEmailTheme: {
      fills: ['emailThemes$'],
      wire: '2026',
      write: ({ app }) => createEmailTheme(app, { displayName: 'New' }),
    },
    updateEmailTheme: {
      fills: ['emailTheme$ theme'],
      wire: '2026',
      write: ({ app, ids }) => updateEmailTheme(app, { emailThemeId: ids.theme, tsxSource: theme }),
    },
    deleteEmailTheme: {
      fills: ['emailTheme$ theme', 'emailThemes$'],
      wire: '2026',
      write: ({ app, ids }) => deleteEmailTheme(app, { emailThemeId: ids.theme }),
    },
  },
}
