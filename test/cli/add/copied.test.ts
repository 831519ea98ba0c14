import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { terminal } from '../terminal'
import { add, files, folder, put, read, useNewApps, vite, type Newer } from './app'

/* What `rxauth add` does in an app that has copies of an earlier version. */

useNewApps()

const button = 'src/auth/ui/button.tsx'
const record = 'src/auth/.rxauth-add.json'

/** The next version: one line of the button is another one, and it has a function more. */
const next: Newer = {
  'ui/button.tsx': text =>
    text
      .replace(/^export function Button\(/m, 'export function NewButton(')
      .concat('\nexport function more() {\n  return 1\n}\n'),
}

const change = (path: string, text: (before: string) => string) => put(path, text(read(path)))
const signs = (out: string, sign: string) =>
  out.split('\n').filter(line => line.startsWith(sign) && !/^(---|\+\+\+) /.test(line))

beforeEach(async () => {
  vite()
  await add(['sign-in', '--yes'])
})

// Promise: add-command
it('shows of a file that both have changed only what is new, and never writes it', async () => {
  change(button, text => text.replace('export function Button(', '// mine\nexport function Button('))
  const before = files()
  for (const args of [['--yes'], ['--update', '--yes']]) {
    const { out } = await add(['sign-in', ...args], {}, next)
    expect(out).toContain(
      '\nNew from rxauth, in files that you have changed, which stay as they are. To add by hand:\n',
    )
    expect(signs(out, '-')).toEqual([expect.stringContaining('export function Button(')])
    expect(signs(out, '+')).toEqual([
      expect.stringContaining('export function NewButton('),
      ...['+', '+export function more() {', '+  return 1', '+}'],
    ])
    expect(out).toContain('\n // mine\n')
  }
  expect(files()).toEqual(before)
})

// Promise: add-command
it('writes with --update each file that the user has not changed, and tells later changes from those', async () => {
  change('src/auth/ui/alert.tsx', text => `// mine\n${text}`)
  const before = files()
  const { code, out } = await add(['sign-in', '--update', '--yes'], {}, next)
  expect([code, out]).toEqual([0, expect.stringContaining(`\nUpdates\n  ${button}\n  ${record}\n`)])
  expect(files()).toEqual({ ...before, [button]: next['ui/button.tsx']!(before[button]!) })
  expect(await add(['sign-in'], {}, next)).toMatchObject({ out: expect.stringContaining('Nothing to do') })
  change(button, text => `// mine\n${text}`)
  expect((await add(['sign-in'], {}, next)).out).toMatch(
    /^Are up to date, with your changes\n {2}src\/auth\/ui\/ {2}2 files$/m,
  )
})

it('asks before an update, and leaves a file that is changed meanwhile', async () => {
  const ask = async () => {
    change(button, text => `// mine\n${text}`)
    return 'y'
  }
  expect(await add(['sign-in', '--update'], { isInteractive: true, ask }, next)).toMatchObject({
    code: 1,
    err: expect.stringContaining('have changed meanwhile, and nothing was written'),
  })
  expect(read(button)).toMatch(/^\/\/ mine\n/)
  expect(read(button)).not.toContain('NewButton')
})

it('keeps the line endings of a file that it updates', async () => {
  change(button, text => text.replaceAll('\n', '\r\n'))
  await add(['sign-in', '--update', '--yes'], {}, next)
  expect(read(button)).toContain('NewButton')
  expect(read(button).replaceAll('\r\n', '')).not.toContain('\n')
})

it('updates nothing in a folder that is a link out of the app', async () => {
  const outside = join(terminal().io.folder, 'ui')
  renameSync(join(folder, 'src/auth/ui'), outside)
  symlinkSync(outside, join(folder, 'src/auth/ui'))
  expect(await add(['sign-in', '--update', '--yes'], {}, next)).toMatchObject({
    code: 1,
    err: expect.stringContaining('src/auth/ui is a link to a folder outside of this one'),
  })
  expect(read(button)).not.toContain('NewButton')
})

it('updates no file that is a link out of the app', async () => {
  const outside = join(terminal().io.folder, 'button.tsx')
  renameSync(join(folder, button), outside)
  symlinkSync(outside, join(folder, button))
  expect(await add(['sign-in', '--update', '--yes'], {}, next)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${button} is a link to a file outside of this folder`),
  })
  expect(read(button)).not.toContain('NewButton')
})

describe('its record of what was copied', () => {
  it.each(['{', '<<<<<<< HEAD\n{}', '{}', '[]', '{ "files": [1] }'])(
    'is refused where it is broken: %s',
    async text => {
      put(record, text)
      const before = files()
      expect(await add(['sign-in', '--update', '--yes'], {}, next)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${record} is broken`),
      })
      expect(files()).toEqual(before)
    },
  )

  it('is not written through a link out of the folder', async () => {
    const outside = join(terminal().io.folder, 'record.json')
    rmSync(join(folder, record))
    symlinkSync(outside, join(folder, record))
    await add(['account', '--yes'])
    expect(existsSync(outside)).toBe(false)
  })
})
