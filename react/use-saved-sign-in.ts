'use client'
import { signInMethods$, signInWithSaved } from 'rxauth'
import { useKit } from './provider'
import { useAction, type Action } from './use-action'
import { useSnapshotPart } from './use-store'

/** The action of a button that signs in with what is saved here. */
export type SavedSignIn = Action<[], Awaited<ReturnType<typeof signInWithSaved>>> & {
  /** Whether this browser has the dialog and the project passkeys; false until it is known, and on servers. */
  readonly isOffered: boolean
}

/**
 * One button for all that is saved here: in a click, `run` signs in with a passkey or a password of the browser's dialog. It fails
 * with NOTHING_SAVED at once where there is none; show the form beside the button. `useAuthRouting` continues after it.
 *
 * @example
 * ```tsx
 * export const SavedButton = () => {
 *   const { isOffered, status, run } = useSavedSignIn()
 *   useAuthRouting()
 *   return isOffered && <button disabled={status === 'running'} onClick={() => void run()}>Sign in</button>
 * }
 * ```
 */
export function useSavedSignIn(): SavedSignIn {
  const kit = useKit()
  const isOffered = useSnapshotPart(
    signInMethods$(kit),
    methods => methods.status === 'ready' && methods.value.some(({ saved }) => saved),
  )
  const signIn = useAction(() => signInWithSaved(kit))
  return { ...signIn, isOffered }
}
