import { useId, useState, type ReactNode } from 'react'
import type { LoggedRequest } from 'rxauth/platform'
import { useAction } from 'rxauth/react'
import { useProject } from '../example/admin/project/project-context'
import type { OfUser } from '../example/admin/users/user-row'
import { Button } from '../example/ui/button'
import { CopyField } from '../example/ui/copy-field'
import { TextField } from '../example/ui/field'
import { Form, useForm } from '../example/ui/form'
import { Problem } from '../example/ui/alert'
import { Section } from '../example/ui/section'
import { askLocal } from './local/ask-local'
import { requests$, type LiveData } from './local/live'
import { pending, useLive } from './local/use-live'
import { Failure } from './local/with-live'

const callbackPath = '/handler/magic-link-callback'
const rememberedKey = 'rxauth-console-app'

/** Opens an app of the project as the user, or shows the tokens of a session to copy. */
export function Impersonation({ userId, name }: OfUser): ReactNode {
  return (
    <Section
      title="Sign in as this user"
      description="The app opens in a new window and is signed in there, without a password or a second factor."
    >
      <OpenApp userId={userId} name={name} />
      <CopySession userId={userId} />
    </Section>
  )
}

interface Values {
  readonly callbackUrl: string
}

function OpenApp({ userId, name }: OfUser): ReactNode {
  const { id: projectId } = useProject()
  const listId = useId()
  const known = useKnownApps()
  const make = useAction(async ({ callbackUrl }: Values) => {
    const { url } = (await askLocal('POST', 'sign-in-links', { projectId, userId, callbackUrl })) as { url: string }
    remember(callbackUrl)
    return { url }
  })
  const form = useForm<Values>({
    initial: { callbackUrl: known[0] ?? `http://localhost:3000${callbackPath}` },
    validate: { callbackUrl: url => (URL.canParse(url) ? null : 'Enter the whole address of the page.') },
    onChange: make.reset,
  })
  return (
    <>
      <Form label="Sign in as this user" form={form} action={make} submit="Make a sign-in link" isProblemShown>
        <TextField
          label="Page of your app for sign-in links"
          hint="The page of your app that calls signInWithMagicLink, on localhost or a trusted domain of the project."
          type="url"
          autoComplete="off"
          list={listId}
          {...form.field('callbackUrl')}
        />
        <datalist id={listId}>
          {known.map(url => (
            <option key={url} value={url} />
          ))}
        </datalist>
        <Failure of={make} />
      </Form>
      {make.status === 'done' && (
        <div className="auth-row">
          {/* The link works once. */}
          <a
            className="auth-button primary breakable"
            href={make.value.url}
            target="_blank"
            rel="noreferrer"
            onClick={() => setTimeout(make.reset)}
          >
            Open the app as {name}
          </a>
        </div>
      )}
    </>
  )
}

function CopySession({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const start = useAction(() => app.createSession({ userId }))
  return (
    <div className="auth-stack snug start">
      <p className="dim">
        For a script or a test: the tokens of a new session, as <code>memoryTokens</code> takes them.
      </p>
      <Problem of={start} />
      {start.status === 'done' ? (
        <CopyField label="Tokens of the session" value={JSON.stringify(start.value)} />
      ) : (
        <Button label="Start a session" kind="plain" isSmall does={start} />
      )}
    </div>
  )
}

/** The last used address, then those of pages that have sent requests. */
function useKnownApps(): readonly string[] {
  const requests = useLive<LiveData<readonly LoggedRequest[]>>(requests$, pending)
  const [last] = useState(remembered)
  const origins = requests.status === 'ready' ? requests.value.flatMap(({ origin }) => origin ?? []) : []
  const seen = origins.filter(origin => origin !== location.origin && origin !== 'null')
  return [...new Set([...last, ...seen.map(origin => origin + callbackPath)])]
}

function remembered(): string[] {
  try {
    return [localStorage.getItem(rememberedKey) ?? []].flat()
  } catch {
    return []
  }
}

function remember(url: string): void {
  try {
    localStorage.setItem(rememberedKey, url)
  } catch {
    // Without storage the address has to be typed again.
  }
}
