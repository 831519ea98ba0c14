import {
  replaceProjectConfig,
  resetProjectConfigKeys,
  unlinkProjectConfigSource,
  updateProjectConfig,
} from 'rxauth/admin'
import { replaceBranchConfig, updateBranchConfig } from 'rxauth/server'
import type { Samples } from '../../flows/samples'

const source = { type: 'pushed-from-unknown' } as const

export const samples: Samples = {
  server: {
    updateBranchConfig: {
      wire: '2026',
      write: ({ app }) => updateBranchConfig(app, { changes: { 'auth.passkey.allowSignIn': false } }),
    },
    replaceBranchConfig: {
      wire: '2026',
      write: ({ app }) =>
        replaceBranchConfig(app, {
          config: { rbac: { permissions: { sell: { scope: 'project' } } } },
          source: { type: 'pushed-from-unknown' },
        }),
    },
  },
  admin: {
    updateProjectConfig: {
      wire: '2026',
      write: ({ app }) =>
        updateProjectConfig(app, {
          changes: {
            'auth.allowSignUp': false,
            'auth.signUpRules.spam': { action: { type: 'reject' } },
            'onboarding.requireEmailVerification': true,
            'rbac.permissions.sell': { scope: 'team' },
            'rbac.permissions.publish': null,
          },
        }),
    },
    replaceProjectConfig: {
      wire: '2026',
      write: ({ app }) =>
        replaceProjectConfig(app, { level: 'branch', config: { auth: { allowSignUp: false } }, source }),
    },
    resetProjectConfigKeys: {
      wire: '2026',
      prepare: ({ app }) => updateProjectConfig(app, { changes: { 'auth.allowSignUp': false } }),
      write: ({ app }) => resetProjectConfigKeys(app, { level: 'environment', keys: ['auth'] }),
    },
    unlinkProjectConfigSource: {
      wire: '2026',
      prepare: ({ app }) => replaceProjectConfig(app, { level: 'branch', config: {}, source }),
      write: ({ app }) => unlinkProjectConfigSource(app),
    },
  },
}
