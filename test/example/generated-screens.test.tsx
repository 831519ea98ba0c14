import { act, fireEvent, screen } from '@testing-library/react'
import { join } from 'node:path'
import { useState, type ComponentType, type ReactNode } from 'react'
import ts from 'typescript'
import { navigate } from 'wouter/use-browser-location'
import { accountPages } from '../../react/example/settings/pages'
import { add, put, project, read, useNewApps } from '../cli/add/app'
import { reactWorld, silenceReports } from '../react/harness'
import { ada } from '../world'

/* The file screens.tsx that `rxauth add` writes, on the screens that it copies. */

useNewApps()

const example = join(__dirname, '../../react/example')

type Screens = ComponentType<{
  readonly frame?: ComponentType<{ readonly children: ReactNode }>
  readonly children?: ReactNode
}>

/** The component of the file, whose imports lead to the sources of the copies. */
async function writtenScreens(): Promise<Screens> {
  project('vite')
  put('src/main.tsx', 'mine')
  await add(['sign-in', 'account', 'team', '--yes'])
  const { outputText } = ts.transpileModule(read('src/auth/screens.tsx'), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, jsx: ts.JsxEmit.ReactJSX },
  })
  const exports: { Screens?: Screens } = {}
  const load = (name: string): unknown =>
    name.endsWith('.css') ? {} : jest.requireActual(name.startsWith('.') ? join(example, name) : name)
  // oxlint-disable-next-line typescript/no-implied-eval -- the file is what is tested
  const run = new Function('require', 'exports', outputText) as (...given: unknown[]) => void
  run(load, exports)
  return exports.Screens!
}

let opened = 0

/** It has a number from when it was opened. */
function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  const [number] = useState(() => ++opened)
  return (
    <div>
      <p>frame {number}</p>
      {children}
    </div>
  )
}

async function openScreens(path: string) {
  const Screens = await writtenScreens()
  opened = 0
  history.replaceState(null, '', path)
  const world = await reactWorld({
    app: { navigate: (url: string) => navigate(url) },
    platform: { seed: { users: [ada] } },
  })
  await world.settled(world.app.signInWithPassword({ email: ada.email, password: ada.password }))
  world.show(<Screens frame={Frame}>the app</Screens>)
  await world.pass(10_000)
  const go = async (to: string) => {
    act(() => navigate(to))
    await world.pass(10_000)
  }
  return { ...world, go }
}

describe('the screens in their frame', () => {
  // Promise: copied-frame
  it('change, and the frame with its state stays', async () => {
    const { go } = await openScreens('/handler/account-settings')
    for (const [path, title] of [
      ['/handler/account-settings/security', 'Security'],
      ['/handler/team', 'Teams'],
      ['/handler/account-settings', 'Profile'],
    ] as const) {
      await go(path)
      screen.getByRole('heading', { level: 1, name: title })
      screen.getByText('frame 1')
    }
    expect(opened).toBe(1)
  })

  it('begin anew at each address, each without what was typed into another', async () => {
    const { go } = await openScreens('/handler/account-settings')
    fireEvent.change(screen.getByRole('textbox', { name: 'Display name' }), { target: { value: 'Countess' } })
    await go('/handler/account-settings/security')
    await go('/handler/account-settings')
    expect(screen.getByRole('textbox', { name: 'Display name' })).toHaveProperty('value', 'Ada')
  })

  it('leave the frame with the last page for users', async () => {
    const { go } = await openScreens('/handler/account-settings')
    await go('/handler/forgot-password')
    expect(screen.queryByText('frame 1')).toBeNull()
    await go('/')
    screen.getByText('the app')
  })

  it('are shown again after one that has thrown', async () => {
    const reports = silenceReports()
    const accountPage = jest.spyOn(accountPages, 'account-settings')
    const { go } = await openScreens('/handler/account-settings')
    accountPage.mockImplementation(() => {
      throw new Error('broken')
    })
    await go('/handler/account-settings/security')
    screen.getByText('Try again')
    accountPage.mockRestore()
    await go('/handler/team')
    screen.getByText('frame 2')
    expect(screen.queryByText('Try again')).toBeNull()
    reports.mockRestore()
  })
})
