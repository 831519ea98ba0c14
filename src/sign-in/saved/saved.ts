import { offersSaved } from '../../core/in-app-browser'
import { failed, type Result } from '../../core/result'
import { AuthError, type AuthErrorOf } from '../../errors/auth-error'
import { tellCall } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import { assertBegins } from '../../store/session-effects'
import type { CallOptions } from '../../store/write/effects'
import type { SignedIn } from '../answers'
import { signInWithPassword } from '../password/password'
import { abortable, browserPasskeys, load } from '../passkey/authenticator'
import type { PasskeyAuthenticator, PasskeyInput, SavedPassword } from '../passkey/authenticator'
import { passkeyFactor, setUp, type PasskeySignInError } from '../passkey/passkey'
import { passkeyTurns } from '../passkey/turns'

/** The error codes of a sign-in with what is saved: those of both methods, and that nothing is. */
export type SavedSignInError = PasskeySignInError | 'EMAIL_PASSWORD_MISMATCH' | 'NOTHING_SAVED'

/** The browser's functions for JSON, which every browser with the dialog has. */
interface NativeJson {
  readonly parseRequestOptionsFromJSON: (optionsJson: unknown) => PublicKeyCredentialRequestOptions
}

type Saved = (SavedPassword | { readonly type: 'public-key'; toJSON(): object }) | null

/** Apart from `browserPasskeys`, so that no bundle without the call has it. */
const browserSaved: Pick<PasskeyAuthenticator, 'getSaved' | 'supportsSaved'> = {
  async getSaved(optionsJson, { signal }) {
    const { WebAuthnAbortService } = await load()
    const { PublicKeyCredential: native } = globalThis as unknown as { readonly PublicKeyCredential: NativeJson }
    return abortable(signal, WebAuthnAbortService, async () => {
      const request = {
        publicKey: native.parseRequestOptionsFromJSON(optionsJson),
        password: true,
        uiMode: 'immediate',
        signal: WebAuthnAbortService.createNewAbortSignal(),
      }
      const saved = (await navigator.credentials.get(request)) as Saved
      return saved?.type === 'public-key' ? saved.toJSON() : saved
    })
  },
  supportsSaved: offersSaved,
}

/**
 * Signs in with what this browser has saved for the site, at one press: the browser offers passkeys and passwords in one dialog. A
 * passkey signs in as `signInWithPasskey` does, a password as `signInWithPassword`, with the same errors.
 *
 * NOTHING_SAVED: nothing is saved, the user has closed the dialog, or the browser has none (`saved` of `signInMethods$`). Show the
 * form then; no dialog was in its way. Call it in a click.
 *
 * @example
 * const result = await app.signInWithSaved()
 * if (!result.ok && result.error.code === 'NOTHING_SAVED') document.querySelector('form')?.focus()
 */
export async function signInWithSaved(
  kit: Kit,
  input: PasskeyInput & CallOptions = {},
): Promise<Result<SignedIn, AuthErrorOf<SavedSignInError>>> {
  const { authenticator, site } = setUp(kit, input)
  const source = authenticator === browserPasskeys ? browserSaved : authenticator
  await assertBegins(kit, input.signal)
  const nothing = new AuthError('NOTHING_SAVED', 'this browser offers no saved passkey or password here: show the form')
  if (!source.getSaved || (await source.supportsSaved?.()) === false) return failed(nothing)
  return passkeyTurns(kit).press(async () => {
    let password: SavedPassword | undefined
    const get: PasskeyAuthenticator['get'] = async (...asked) => {
      try {
        const saved = await source.getSaved?.(...asked)
        if (saved && !('password' in saved)) return saved
        password = saved as SavedPassword | undefined
      } catch (error) {
        // Browsers do not tell a closed dialog from an empty one.
        if ((error as Error | undefined)?.name !== 'NotAllowedError') throw error
      }
      throw nothing
    }
    try {
      return await passkeyFactor(kit, { get, signal: authenticator.signal?.bind(authenticator) }, site, input)
    } catch (error) {
      if (error !== nothing) throw error
      if (!password) return failed(nothing)
      const saved = { email: password.id, password: password.password }
      tellCall(kit, 'signInWithPassword', saved, input)
      return signInWithPassword(kit, saved, input)
    }
  })
}
