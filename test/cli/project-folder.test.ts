import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder, usualAppUrl, variablePrefix } from '../../src/cli/config-file'
import { run } from '../../src/cli/run'
import { announce, runningUrl } from '../../src/cli/data-place'
import { terminal, until } from './terminal'

let project: string
let below: string
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'rxauth-project-')))
  below = join(project, 'apps/web')
  mkdirSync(below, { recursive: true })
  writeFileSync(join(project, 'package.json'), '{"devDependencies":{"vite":"8"}}')
})
afterEach(() => rmSync(project, { recursive: true }))

describe('the folder of the project', () => {
  it('is the nearest one with a package.json', () => {
    expect([projectFolder(below), projectFolder(project)]).toEqual([project, project])
    writeFileSync(join(project, 'apps/package.json'), '{}')
    expect([projectFolder(below), projectFolder(project)]).toEqual([join(project, 'apps'), project])
  })

  it('is the working folder where there is none', () => {
    rmSync(join(project, 'package.json'))
    expect(projectFolder(below)).toBe(below)
  })

  it.each([
    ['{"dependencies":{"vite":"8"}}', 'VITE_', 5173],
    ['{"dependencies":{"next":"16"},"devDependencies":{"vite":"8"}}', 'NEXT_PUBLIC_', 3000],
    ['{"dependencies":{"@angular/core":"22"}}', '', 4200],
    ['{"peerDependencies":{"vite":"8"}}', '', 3000],
    ['{"dependencies":["vite"]}', '', 3000],
    ['[]', '', 3000],
    ['{', '', 3000],
  ])('with %s has variables that begin with "%s", and an app at port %i', (manifest, prefix, port) => {
    writeFileSync(join(project, 'package.json'), manifest)
    expect([variablePrefix(project), usualAppUrl(project)]).toEqual([prefix, `http://localhost:${port}/`])
  })
})

describe('rxauth started in a folder below the project', () => {
  const started = async (...args: readonly string[]) => {
    const person = terminal({ folder: below })
    const ended = run(['dev', '--port', '0', ...args], person.io)
    let hasEnded = false
    void ended.finally(() => (hasEnded = true))
    await until(() => person.listening() > 0 || hasEnded)
    return { ...person, end: () => (person.signal('SIGTERM'), ended) }
  }

  it('uses the configuration, data and note of the project, and prints their complete paths', async () => {
    writeFileSync(join(project, 'rxauth.config.json'), '{"project":{"displayName":"Shop"}}')
    const { out, end } = await started()
    const file = join(project, '.rxauth/data.sqlite')
    expect(out()).toContain(`\nData              ${file} (`)
    expect(out()).toContain(`\nConfiguration     ${join(project, 'rxauth.config.json')}\n`)
    expect(out()).toMatch(/\n {2}VITE_STACK_API_URL=/)
    // A key under a prefix of the bundler would be in the page.
    expect(out()).toMatch(/\n {2}STACK_SECRET_SERVER_KEY=ssk_/)
    expect(existsSync(file)).toBe(true)
    const [url = ''] = /http:\S+/.exec(out()) ?? []
    expect(JSON.parse(readFileSync(join(project, '.rxauth/running.json'), 'utf8'))).toEqual({ url, pid: process.pid })
    // The other commands find the platform from there too.
    const types = terminal({ folder: below })
    expect(await run(['types'], types.io)).toBe(0)
    expect(types.out()).toBe(`${join(project, 'rxauth.d.ts')} has 2 permissions and 3 providers of ${url}.\n`)
    expect(await end()).toBe(0)
    expect([existsSync(join(below, '.rxauth')), existsSync(join(project, '.rxauth/running.json'))]).toEqual([
      false,
      false,
    ])
  })

  it('resolves paths of flags from the working folder, and those of the configuration from its own', async () => {
    writeFileSync(join(project, 'apps/own.json'), '{"data":"kept/own.sqlite"}')
    const first = await started('--config', '../own.json')
    expect(first.out()).toContain(`\nData              ${join(project, 'apps/kept/own.sqlite')} (`)
    expect(await first.end()).toBe(0)
    const second = await started('--config', '../own.json', '--data', 'here.sqlite')
    expect(second.out()).toContain('\nData              here.sqlite (')
    expect(await second.end()).toBe(0)
    expect(existsSync(join(below, 'here.sqlite'))).toBe(true)
    const missing = await started('--config', 'own.json')
    expect(missing.err()).toBe('rxauth: there is no configuration at own.json\n')
    expect(await missing.end()).toBe(1)
  })

  it('resets and seeds the data of the project', async () => {
    const seeded = terminal({ folder: below })
    expect(await run(['seed'], seeded.io)).toBe(0)
    const file = join(project, '.rxauth/data.sqlite')
    expect(seeded.out()).toBe(`${file} has 3 people, 1 team, 1 owner of the seed.\n`)
    const reset = terminal({ folder: below })
    expect(await run(['reset', '--yes'], reset.io)).toBe(0)
    expect([reset.out(), existsSync(file)]).toEqual([`${file} was deleted.\n`, false])
  })
})

describe('the note of a running platform', () => {
  const note = () => join(project, '.rxauth/running.json')

  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['no address', '{"pid":1}'],
    ['no process', '{"url":"http://127.0.0.1:1"}'],
    ['a process that has ended', '{"url":"http://127.0.0.1:1","pid":4194305}'],
    ['an address where nothing listens', `{"url":"http://127.0.0.1:1","pid":${process.pid}}`],
    ['null', 'null'],
  ])('with %s is ignored', async (_, text) => {
    mkdirSync(join(project, '.rxauth'))
    if (text !== null) writeFileSync(note(), text)
    expect(await runningUrl(project)).toBeNull()
  })

  it('is deleted only by the platform that wrote it', () => {
    const forget = announce(project, 'http://127.0.0.1:1')
    const forgetNewer = announce(project, 'http://127.0.0.1:2')
    forget()
    expect(JSON.parse(readFileSync(note(), 'utf8'))).toEqual({ url: 'http://127.0.0.1:2', pid: process.pid })
    forgetNewer()
    expect(existsSync(note())).toBe(false)
  })

  it('may be unwritable without any other effect', () => {
    writeFileSync(join(project, '.rxauth'), 'a file')
    expect(() => announce(project, 'http://127.0.0.1:1')()).not.toThrow()
  })
})
