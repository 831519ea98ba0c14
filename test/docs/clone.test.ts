import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json'
import { root } from './blocks'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')
const [, section = ''] = /^## In a clone\n([^]*?)^## /m.exec(readme) ?? []

describe('README, for a clone', () => {
  it('follows the picture, before what a registry has', () => {
    expect(readme.indexOf(section)).toBeGreaterThan(readme.indexOf('(docs/pictures/'))
    expect(readme.indexOf(section)).toBeLessThan(readme.indexOf('npm install rxauth'))
  })

  it('has the two commands, whose scripts exist', () => {
    const commands = [...section.matchAll(/```sh\n(.*)\n```/g)].map(([, command]) => command)
    expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
    expect(manifest.scripts).toMatchObject({ start: expect.any(String) as string, test: expect.any(String) as string })
  })

  it('has the command that .ci/run runs, which runs no other', () => {
    const commands = read('.ci/run')
      .split('\n')
      .filter(line => /^\s*npm/.test(line))
    expect(commands).toEqual(['npm ci && npm test'])
  })

  it('writes what npm packs before, which npm does not do where it runs no scripts of packages', () => {
    const [, ...commands] = /`([^`]*npm pack)`/.exec(readme)?.[1]?.split(' && ') ?? []
    expect(read('.npmrc')).toContain('ignore-scripts=true')
    expect(commands).toEqual(['npm run prepack', 'npm pack'])
  })

  it('installs the file that npm packs, of this version', () => {
    expect(readme).toContain(`npm install ../rxauth/${manifest.name}-${manifest.version}.tgz rxjs`)
  })
})
