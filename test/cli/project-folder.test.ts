import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder, usualAppUrl, variablePrefix } from '../../src/cli/config-file'
import { run } from '../../src/cli/run'
import { announce } from '../../src/cli/data-place'
import { terminal } from './terminal'

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
