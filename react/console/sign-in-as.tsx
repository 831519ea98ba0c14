import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { LoggedRequest } from 'rxauth/platform'
import { useAction } from 'rxauth/react'
import { useProject } from '../example/admin/project/project-context'
import { CopyField } from '../example/ui/copy-field'
import { Problem } from '../example/ui/problem'
import { Section } from '../example/ui/section'
import { askLocal } from './local/ask-local'
import { requests$ } from './local/live'
import type { Live } from './local/live'
import { useLive } from './local/use-live'
import { useLocalAction } from './local/use-local-action'
import { Failure } from './local/with-live'

interface Props {
  readonly userId: string
  readonly name: string
}

const callbackPath = '/handler/magic-link-callback'
const pending = { status: 'pending' } as const
const rememberedKey = 'rxauth-console-app'

/** Opens an app of the project as the user, or shows the tokens of a session to copy. */
export function Impersonation({ userId, name }: Props): ReactNode {
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

function OpenApp({ userId, name }: Props): ReactNode {
  const { id: projectId } = useProject()
  const listId = useId()
  const known = useKnownApps()
  const [typed, setTyped] = useState<string>()
  const [link, setLink] = useState<string>()
  const callbackUrl = typed ?? known[0] ?? `http://localhost:3000${callbackPath}`
  const { run, isRunning, error } = useLocalAction(async () => {
    const { url } = (await askLocal('POST', 'sign-in-links', { projectId, userId, callbackUrl })) as { url: string }
    remember(callbackUrl)
    setLink(url)
  })
  return (
    <form
      aria-label="Sign in as this user"
      onSubmit={event => {
        event.preventDefault()
        run()
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Page of your app for sign-in links"
          description="The page of your app that calls signInWithMagicLink, on localhost or a trusted domain of the project."
          type="url"
          required
          withAsterisk={false}
          autoComplete="off"
          list={listId}
          value={callbackUrl}
          onChange={event => {
            setTyped(event.currentTarget.value)
            setLink(undefined)
          }}
        />
        <datalist id={listId}>
          {known.map(url => (
            <option key={url} value={url} />
          ))}
        </datalist>
        {error && <Failure error={error} />}
        <Group gap="sm">
          {link === undefined ? (
            <Button type="submit" variant="default" loading={isRunning}>
              Make a sign-in link
            </Button>
          ) : (
            // The link works once.
            <Button
              component="a"
              href={link}
              target="_blank"
              rel="noreferrer"
              className="breakable"
              onClick={() => setTimeout(() => setLink(undefined))}
            >
              Open the app as {name}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function CopySession({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const begin = useAction(() => app.createSession({ userId }))
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm" c="dimmed">
        For a script or a test: the tokens of a new session, as <code>memoryTokens</code> takes them.
      </Text>
      <Problem of={begin} />
      {begin.status === 'done' ? (
        <CopyField label="Tokens of the session" value={JSON.stringify(begin.value)} />
      ) : (
        <Button
          size="xs"
          variant="default"
          loading={begin.status === 'running'}
          onClick={() => void begin.run().catch(() => undefined)}
        >
          Start a session
        </Button>
      )}
    </Stack>
  )
}

/** The last used address, then those of pages that have sent requests. */
function useKnownApps(): readonly string[] {
  const requests = useLive<Live<readonly LoggedRequest[]>>(requests$, pending)
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
