import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import manifest from '../../package.json'
import { root } from './blocks'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxauth-release-'))
  mkdirSync(join(folder, '.changeset'))
  write('.changeset/README.md', '# Changesets\n')
  write('package.json', '{\n  "name": "rxauth",\n  "version": "0.2.0",\n  "workspaces": ["test/react-18"]\n}\n')
  write('CHANGELOG.md', '# rxauth\n\n## 0.2.0\n\n### Minor Changes\n\n- A call.\n\n## 0.1.0\n\nThe first.\n')
})

afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const readIn = (path: string) => readFileSync(join(folder, path), 'utf8')

function run(script: string, ...args: string[]): { status: number | null; said: string } {
  const { status, stderr } = spawnSync(process.execPath, [join(root, '.changeset', script), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, said: stderr.trim() }
}

describe('the next version', () => {
  beforeEach(() => {
    write('test/react-18/package.json', '{ "name": "react-18", "private": true }')
    write(
      'package-lock.json',
      '{\n  "version": "0.2.0",\n  "packages": {\n    "": {\n      "version": "0.2.0"\n    }\n  }\n}\n',
    )
    write('src/core/version.ts', "export const version = '0.2.0'\n")
    write('.changeset/config.json', readFileSync(join(root, '.changeset/config.json'), 'utf8'))
  })

  it('is written from the changesets, in a package with workspaces too', () => {
    const before = readIn('CHANGELOG.md')
    const manifest = readIn('package.json')
    write('.changeset/teams.md', "---\n'rxauth': minor\n---\n\n**Teams**\n\n- A call.\n")
    write('.changeset/react.md', "---\n'rxauth': patch\n---\n\n- A hook.\n")
    expect(run('version.mjs')).toMatchObject({ status: 0 })
    expect(readIn('package.json')).toBe(manifest.replace('0.2.0', '0.3.0'))
    expect(readIn('package-lock.json').match(/0\.\d\.0/g)).toEqual(['0.3.0', '0.3.0'])
    expect(readIn('src/core/version.ts')).toBe("export const version = '0.3.0'\n")
    const changelog = readIn('CHANGELOG.md')
    expect(changelog).toMatch(
      /^# rxauth\n\n## 0\.3\.0\n\n### Minor Changes\n[^]*A call\.[^]*### Patch Changes[^]*A hook\./,
    )
    expect(changelog.endsWith(before.replace('# rxauth\n', ''))).toBe(true)
    expect(run('check-release.mjs', 'v0.3.0')).toEqual({ status: 0, said: '' })
  })

  it('leaves package.json alone where a changeset cannot be read', () => {
    const manifest = readIn('package.json')
    write('.changeset/teams.md', "---\n'another': minor\n---\n\nA call.\n")
    expect(run('version.mjs').status).not.toBe(0)
    expect(readIn('package.json')).toBe(manifest)
  })
})

describe('the check of a release', () => {
  const check = (...args: string[]) => run('check-release.mjs', ...args)

  it('passes for the tag of the version, with a changelog and without pending changesets', () => {
    expect(check('v0.2.0')).toEqual({ status: 0, said: '' })
  })

  // Promise: release-workflow
  it.each([['v0.2.1'], ['0.2.0'], ['v0.1.0'], ['v0.2.0-rc.1']])('fails for the tag %s of version 0.2.0', tag => {
    expect(check(tag)).toEqual({ status: 1, said: `the tag is ${tag}, the version in package.json is 0.2.0` })
  })

  it('fails without a tag', () => {
    expect(check().status).toBe(1)
  })

  it.each([
    ['# rxauth\n\n## 0.1.0\n\nThe first.\n', 'has no heading'],
    ['# rxauth\n\n## 0.2.0\n\n## 0.1.0\n\nThe first.\n', 'has no text'],
    ['# rxauth\n\n## 0.2.0\n\n### Minor Changes\n\n## 0.1.0\n\nThe first.\n', 'has an empty part'],
    ['# rxauth\n\n## 0.2.01\n\nAnother.\n', 'has another version'],
  ])('fails where the changelog %j %s', changelog => {
    write('CHANGELOG.md', changelog)
    expect(check('v0.2.0')).toEqual({ status: 1, said: 'CHANGELOG.md says nothing about 0.2.0' })
  })

  // Promise: release-workflow
  it('fails while a changeset is pending', () => {
    write('.changeset/teams.md', "---\n'rxauth': minor\n---\n\nMore.\n")
    expect(check('v0.2.0')).toEqual({ status: 1, said: 'npm run version has not been run: teams.md' })
  })
})

describe('the workflow of a release', () => {
  const read = (name: string) => readFileSync(join(root, '.github/workflows', name), 'utf8')
  const workflow = read('release.yml')

  // Promise: release-workflow
  it('checks the tag and runs every test before it builds and publishes', () => {
    const commands = [...workflow.matchAll(/^ +- run: (.*)$/gm)].map(([, command]) => command)
    expect(commands).toEqual([
      'npm ci',
      'npm run check-release -- "$GITHUB_REF_NAME"',
      'npm test',
      'npm run prepack',
      'npm publish --provenance --access public',
    ])
    expect(manifest.scripts).toMatchObject({
      version: 'node .changeset/version.mjs',
      'check-release': 'node .changeset/check-release.mjs',
    })
  })

  it('may read the sources and sign with its identity, and nothing else', () => {
    const permissions = /^permissions:\n((?: .*\n)+)/m.exec(workflow)?.[1] ?? ''
    expect(permissions.match(/[\w-]+: \w+$/gm)).toEqual(['contents: read', 'id-token: write'])
    expect(workflow.match(/permissions:/g)).toHaveLength(1)
    // The token of npm is in the environment of the last step alone.
    expect(workflow.split('secrets.')).toHaveLength(2)
    expect(workflow.trim().endsWith('NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN }}')).toBe(true)
  })

  it('uses the actions of ci.yml, by their commits', () => {
    const actionsOf = (text: string) => [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action)
    expect(actionsOf(workflow)).toEqual(actionsOf(read('ci.yml')))
    expect(actionsOf(workflow).every(action => /^[\w/-]+@[0-9a-f]{40} # v/.test(action!))).toBe(true)
  })
})

describe('the workflow of the site', () => {
  const workflow = readFileSync(join(root, '.github/workflows/site.yml'), 'utf8')

  // Promise: site-build
  it('builds the site for the address of the homepage, and deploys it', () => {
    const commands = [...workflow.matchAll(/^ +- run: (.*)$/gm)].map(([, command]) => command)
    const base = new URL(manifest.homepage).pathname
    expect(commands).toEqual(['npm ci', 'npm run build', `npm run docs:build -- --base ${base}`])
    expect(workflow).toMatch(/upload-pages-artifact@[^]*path: docs\/\.vitepress\/dist[^]*deploy-pages@/)
  })

  it('has rights only where it deploys, and actions by their commits', () => {
    const [build = '', deploy = ''] = workflow.split(/^ {2}deploy:/m)
    expect(build.match(/[\w-]+: (?:read|write)$/gm)).toEqual(['contents: read'])
    expect(deploy.match(/[\w-]+: (?:read|write)$/gm)).toEqual(['pages: write', 'id-token: write'])
    const actions = [...workflow.matchAll(/uses: (.*)$/gm)].map(([, action]) => action!)
    expect(actions.filter(action => !/^[\w/-]+@[0-9a-f]{40} # v/.test(action))).toEqual([])
    expect(actions).toHaveLength(4)
  })
})
