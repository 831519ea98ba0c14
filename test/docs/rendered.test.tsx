import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { createPlatform, virtualClock, type Platform } from 'rxauth/platform'
import * as client from 'rxauth'
import type { ClientOptions } from 'rxauth'
import { guides, imported, readExamples, run, type Example } from './blocks'

const all = guides().flatMap(file => readExamples(file))
const examples = all.filter(({ renders }) => renders !== undefined)

/** The actions on a page once it is shown, and the expected texts. */
type Visit = (reader: Reader) => Promise<void>

interface Reader {
  readonly show: () => void
  /** Advances the clock by a second. */
  readonly wait: () => Promise<void>
  readonly press: (text: string) => Promise<void>
  readonly sees: (text: string) => void
  readonly platform: Platform
}

const visits: Readonly<Record<string, Visit>> = {
  async 'README.md: In React'({ show, press, sees, wait }) {
    show()
    await wait()
    await press('Sign in as Ada')
    await press('Sign out Ada')
    sees('Sign in as Ada')
  },

  async 'docs/hooks.md: With Suspense: `useUser`, `useValue`, `useSelect`'({ show, press, sees, wait, platform }) {
    platform.faults.next('GET /projects/current', { status: 500 })
    show()
    sees('One moment …')
    await wait()
    // The error is thrown to each render for 300 ms.
    await wait()
    await press('Try again (REQUEST_FAILED)')
    sees('Hello Ada')
    expect(screen.getByText('A').tagName).toBe('B')
  },

  async 'docs/hooks.md: Without Suspense: `useAuth`, `useStore`, `useCan`'({ show, sees, wait }) {
    show()
    sees('One moment …')
    await wait()
    sees('This browser')
  },

  async 'docs/hooks.md: Buttons and forms: `useAction`'({ show, press, sees }) {
    show()
    fill(screen.getByLabelText('Password'), 'wrong')
    await press('Sign in')
    sees('Wrong password.')
    fill(screen.getByLabelText('Password'), 'correct horse battery')
    await press('Sign in')
    sees('Hello Ada')
  },

  async 'docs/hooks.md: The smallest pages: a kit'({ show, press, sees, wait }) {
    show()
    await wait()
    await press('Sign in')
    sees('Sign out')
    await press('Sign out')
    sees('Sign in')
  },

  async 'docs/guides/vite.md: A sign-in page'({ show, press, sees, wait }) {
    history.replaceState(null, '', '/handler/magic-link-callback?code=old')
    show()
    await press('Continue')
    sees('This link is too old, or was used already.')
    cleanup()
    history.replaceState(null, '', '/')
    show()
    await wait()
    fill(screen.getByPlaceholderText('E-mail'), 'ada@example.com')
    fill(screen.getByPlaceholderText('Password'), 'correct')
    await press('Sign in')
    sees('Wrong e-mail address or password.')
    await press('Create an account')
    sees('Use at least 8 characters.')
    fill(screen.getByPlaceholderText('Password'), 'correct horse battery')
    await press('Create an account')
    sees('There is an account with this address already.')
    await press('Sign in')
    sees('Hello Ada')
    await press('Call me Countess')
    sees('Hello Countess')
    await press('Sign out')
    screen.getByPlaceholderText('E-mail')
  },
}

/** As some password managers do: without an event. */
function fill(field: HTMLInputElement, value: string): void {
  field.value = value
}

function titleOf({ name, renders = '' }: Example): string {
  return `${name.replace(/:\d+$/, '')}: ${renders}`
}

/** The page of an example; its kit sends requests to a platform in process instead of the one at its address. */
async function pageOf(example: Example, platform: Platform): Promise<ComponentType> {
  const createClientApp = (options: ClientOptions) => client.createClientApp({ ...options, ...platform.options })
  const createKit = (options: ClientOptions) => client.createKit({ ...options, ...platform.options })
  const files = new Map<Example, object>()
  /** The exports of a file of the page's app; each file is run once. */
  const load = async (file: Example): Promise<object> => {
    const known = files.get(file)
    if (known) return known
    const exported = {}
    files.set(file, exported)
    const needed = [...file.code.matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => imported(all, file, path)!)
    for (const each of needed) await load(each)
    await run(
      file,
      name => {
        if (name.startsWith('.')) return files.get(imported(all, file, name)!)
        return name === 'rxauth' ? { ...client, createClientApp, createKit } : jest.requireActual<object>(name)
      },
      exported,
    )
    return exported
  }
  const exported: { Page?: ComponentType } = await load(example)
  if (!exported.Page) throw new Error(`${example.name} exports no Page`)
  return exported.Page
}

describe('the pages in README and guides', () => {
  afterEach(cleanup)

  it('are those that have a visit here', () => {
    expect(examples.map(titleOf).sort()).toEqual(Object.keys(visits).sort())
  })

  it.each(examples.map(example => [titleOf(example), example] as const))('%s', async (title, example) => {
    const problems: unknown[] = []
    for (const method of ['error', 'warn'] as const)
      jest.spyOn(console, method).mockImplementation((...printed) => void problems.push(...printed))
    const users = [{ email: 'ada@example.com', password: 'correct horse battery', displayName: 'Ada', verified: true }]
    const clock = virtualClock()
    const platform = createPlatform({ clock, seed: { users } })
    const Page = await pageOf(example, platform)
    const wait = () => act(() => clock.advance(1000))
    await visits[title]?.({
      show: () => void render(<Page />),
      wait,
      async press(text) {
        fireEvent.click(screen.getByText(text))
        await wait()
      },
      sees: text => void screen.getByText(text),
      platform,
    })
    platform.dispose()
    // React logs an error that a boundary catches, as that of the one page with a fault.
    if (!title.includes('With Suspense')) expect(problems).toEqual([])
  })
})
