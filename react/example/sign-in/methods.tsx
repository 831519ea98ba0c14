import { useState, type ReactNode } from 'react'
import { rememberSession, signInMethods$, type Project, type SignInMethod, type Snapshot } from 'rxauth'
import { useAction, useApp, useStore } from 'rxauth/react'
import { Problem } from '../ui/alert'
import { ActionButton } from '../ui/button'
import { Choice } from '../ui/field'
import { StatusBadge } from '../ui/section'
import { WithStore } from '../ui/with-store'
import { useWords } from '../words/use-words'
import { providerOf } from './providers'

/** The project's sign-in methods. */
export type Methods = Project['config']

/** Public, and the same signed in and out. */
export function useMethods(): Snapshot<Project> {
  return useStore(useApp().project$)
}

interface Props {
  /** A placeholder as high as the form, so that the layout does not move. */
  readonly shape: ReactNode
  readonly children: (methods: Methods) => ReactNode
}

/** The form once the methods are known. */
export function WithMethods({ shape, children }: Props): ReactNode {
  const { signIn: words } = useWords()
  const app = useApp()
  // The browser is asked for its abilities meanwhile, so that all buttons come at once.
  useStore(signInMethods$(app))
  return (
    <WithStore store={app.project$} label={words.methods} shape={shape}>
      {project => children(project.config)}
    </WithStore>
  )
}

/** A method in this browser: 'passkey', or the id of a provider; undefined if the project does not offer it. */
export function useMethodHere(name: string): SignInMethod | undefined {
  const methods = useStore(signInMethods$(useApp()))
  return methods.status === 'ready'
    ? methods.value.find(({ method, provider }) => (provider ?? method) === name)
    : undefined
}

/** For the button of the method used last. */
export function LastUsed(): ReactNode {
  const { signIn: words } = useWords()
  return <StatusBadge kind="info">{words.lastUsed}</StatusBadge>
}

/** Why a method may not work in this browser. The button stays, since apps are recognised by a text that any app can change. */
export function InAppNotice({ of, what }: { readonly of: SignInMethod | undefined; readonly what: string }): ReactNode {
  const { signIn: words } = useWords()
  if (of?.why !== 'in-app-browser') return null
  return (
    <p className="dim" role="note">
      {words.inOtherApp(what)}
    </p>
  )
}

/** One button per provider, with its logo and prescribed text, and what parts them from a form below. */
export function ProviderButtons({ methods }: { readonly methods: Methods }): ReactNode {
  const { ui } = useWords()
  const { enabledOauthProviders: providers } = methods
  if (providers.length === 0) return null
  return (
    <>
      <div className="auth-stack snug">
        {providers.map(({ id }) => (
          <ProviderButton key={id} id={id} />
        ))}
      </div>
      {takesAddress(methods) && <p className="or">{ui.or}</p>}
    </>
  )
}

/** Whether some method begins with an e-mail address. */
export function takesAddress({ credentialEnabled, magicLinkEnabled }: Methods): boolean {
  return credentialEnabled || magicLinkEnabled
}

/** Redirects to the provider. */
function ProviderButton({ id }: { readonly id: string }): ReactNode {
  const { signIn: words } = useWords()
  const app = useApp()
  const { name, mark } = providerOf(id)
  const here = useMethodHere(id)
  return (
    <>
      <ActionButton
        label={words.withProvider(name)}
        kind="plain"
        icon={mark}
        after={here?.lastUsed && <LastUsed />}
        run={() => app.signInWithOAuth({ provider: id })}
      />
      <InAppNotice of={here} what={name} />
    </>
  )
}

/** The choice of this tab, which the redirect of a provider or a reload brings back to the page. */
const key = 'auth-remember'

/** Whether the session outlasts the browser. The choice counts for every way to sign in. */
export function RememberMe(): ReactNode {
  const { signIn: words } = useWords()
  const app = useApp()
  const [lasts, setLasts] = useState(kept)
  const choose = useAction(async (next: boolean) => {
    setLasts(next)
    await rememberSession(app, next)
    keep(next)
  })
  return (
    <>
      <Choice
        label={words.remember}
        hint={lasts ? undefined : words.forgotten}
        checked={lasts}
        onChange={event => void choose.run(event.currentTarget.checked)}
      />
      <Problem of={choose} />
    </>
  )
}

function kept(): boolean {
  try {
    return sessionStorage.getItem(key) !== 'no'
  } catch {
    return true
  }
}

function keep(lasts: boolean): void {
  try {
    sessionStorage.setItem(key, lasts ? 'yes' : 'no')
  } catch {
    // Blocked or full: a reload shows the box as ticked.
  }
}
