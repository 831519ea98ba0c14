import { createClientApp, type ClientApp } from 'rxauth'
import { totpCode } from 'rxauth/platform'
import type { Samples } from '../flows/samples'
import { bare, callbackUrl, clock, codeFor, type Stage } from '../flows/stage'
import { ada, grace } from '../world'

const device = ({ platform }: Stage) => ({ hostname: 'localhost', authenticator: platform.authenticator() })
const secret = new TextEncoder().encode('twenty bytes, secret')
const totpSecretBase64 = btoa('twenty bytes, secret')

/** The digits of an authenticator now; the clock waits for WebCrypto, which takes as long as the machine is busy. */
async function digitsNow(secret: Uint8Array): Promise<string> {
  const work = clock.begin()
  try {
    return await totpCode(secret, clock.now())
  } finally {
    work.end()
  }
}

/** A kit of a user at another place. */
async function elsewhere({ platform }: Stage, { email }: { readonly email: string }): Promise<ClientApp> {
  return createClientApp({ ...platform.options, tokens: await platform.tokensFor(email) })
}

export const samples: Samples = {
  client: {
    signOut: { write: ({ app }) => app.signOut() },
    setPassword: { as: bare.email, write: ({ app }) => app.setPassword({ password: 'battery staple' }) },
    updatePassword: {
      write: ({ app }) => app.updatePassword({ oldPassword: ada.password, newPassword: 'battery staple' }),
    },
    verifyEmail: {
      async prepare(stage) {
        await stage.app.sendVerificationEmail({ callbackUrl })
        return codeFor(stage, ada.email)
      },
      write: ({ app }, code: string) => app.verifyEmail({ code }),
    },
    resetPassword: {
      as: bare.email,
      async prepare(stage) {
        await stage.app.sendPasswordResetEmail({ email: bare.email, callbackUrl })
        return codeFor(stage, bare.email)
      },
      write: ({ app }, code: string) => app.resetPassword({ code, password: 'battery staple' }),
    },
    enableTotp: {
      prepare: ({ app }) => app.startTotpEnrolment(),
      write: async ({ app }, enrolment: { readonly secret: Uint8Array<ArrayBuffer> }) =>
        app.enableTotp({ ...enrolment, totp: await digitsNow(enrolment.secret) }),
    },
    disableTotp: {
      fills: ['anyUser$', 'user$'],
      prepare: ({ app }) => app.updateUser({ totpSecretBase64 }),
      write: ({ app }) => app.disableTotp(),
    },
    registerPasskey: { write: stage => stage.app.registerPasskey(device(stage)) },
    signInWithPassword: {
      as: grace.email,
      write: ({ app }) => app.signInWithPassword({ email: ada.email, password: ada.password }),
    },
    signUpWithPassword: {
      as: grace.email,
      write: ({ app }) =>
        app.signUpWithPassword({
          email: 'born@example.com',
          password: 'battery staple',
          verificationCallbackUrl: callbackUrl,
        }),
    },
    signUpAnonymously: { as: null, write: ({ app }) => app.signUpAnonymously() },
    signInWithMagicLink: {
      as: grace.email,
      async prepare(stage) {
        await stage.app.sendMagicLinkEmail({ email: bare.email, callbackUrl })
        return codeFor(stage, bare.email)
      },
      write: ({ app }, code: string) => app.signInWithMagicLink({ code }),
    },
    signInWithPasskey: {
      as: grace.email,
      async prepare(stage) {
        const input = device(stage)
        await (await elsewhere(stage, ada)).registerPasskey(input)
        return input
      },
      write: ({ app }, input: ReturnType<typeof device>) => app.signInWithPasskey(input),
    },
    signInWithSaved: {
      as: grace.email,
      write: ({ app, platform }) =>
        app.signInWithSaved({
          hostname: 'localhost',
          authenticator: platform.authenticator({ savedPassword: { id: ada.email, password: ada.password } }),
        }),
    },
    continueSignIn: {
      as: grace.email,
      async prepare(stage) {
        await (await elsewhere(stage, ada)).updateUser({ totpSecretBase64 })
        await stage.app.signInWithPassword({ email: ada.email, password: ada.password })
      },
      write: async ({ app }) => app.continueSignIn({ totp: await digitsNow(secret) }),
    },
  },
  reads: [
    'sendVerificationEmail',
    'sendMagicLinkEmail',
    'sendPasswordResetEmail',
    'navigateAfterAuth',
    'accessToken',
    'authHeaders',
    'startTotpEnrolment',
    'connectedAccountToken',
    'signInWithOAuth',
    'signInWithOAuthPopup',
    'handleOAuthCallback',
    'connectAccount',
    'connectAccountPopup',
    'completeCliLogin',
    'checkEmailVerificationCode',
    'checkMagicLinkCode',
    'redirectTo',
    'checkPasswordResetCode',
  ],
}
