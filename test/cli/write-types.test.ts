import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dev } from './terminal'
import { configure, data, folder, rxauth } from './data-command'

describe('rxauth types', () => {
  const types = (file = 'rxauth.d.ts') => readFileSync(join(folder, file), 'utf8')

  it("writes the configuration's permissions and providers, without a platform", async () => {
    configure({
      permissions: [
        { id: 'read', scope: 'project' },
        { id: "it's", scope: 'team' },
      ],
      project: { config: { oauthProviders: [{ id: 'spotify', type: 'shared' }] } },
    })
    expect(await rxauth(['types'])).toMatchObject({ code: 0, err: '' })
    expect(types()).toContain(`
declare module 'rxauth' {
  interface Register {
    permissionId: 'it\\'s' | 'team_admin' | 'team_member' | 'read'
    provider: 'spotify'
  }
}
`)
    expect(existsSync(data())).toBe(false)
  })

  it('writes to src if that exists, or to the named file', async () => {
    mkdirSync(join(folder, 'src'))
    await rxauth(['types'])
    expect(types('src/rxauth.d.ts')).toContain("provider: 'github' | 'google' | 'microsoft'")
    expect(await rxauth(['types', '--out', 'deep/types.d.ts'])).toEqual({
      code: 0,
      out: 'deep/types.d.ts has 2 permissions and 3 providers of the project.\n',
      err: '',
    })
    expect(types('deep/types.d.ts')).toBe(types('src/rxauth.d.ts'))
  })

  it('names the file that it cannot write', async () => {
    mkdirSync(join(folder, 'types'))
    expect(await rxauth(['types', '--out', 'types'])).toMatchObject({
      code: 1,
      err: 'rxauth: types cannot be written: EISDIR: illegal operation on a directory\n',
    })
  })

  it('writes the names of the running platform, or of the data if none runs', async () => {
    const platform = await dev(['--data', '.rxauth/data.sqlite'], { folder })
    await platform.ask('/team-permission-definitions', { method: 'POST', body: '{"id":"deploy"}' })
    expect(await rxauth(['types'])).toMatchObject({ code: 0, out: expect.stringContaining(`of ${platform.url}.`) })
    expect(types()).toContain("'deploy'")
    rmSync(join(folder, 'rxauth.d.ts'))
    await platform.stop()
    expect(await rxauth(['types'])).toMatchObject({ code: 0, out: expect.stringContaining('of the project.') })
    expect(types()).toContain("'deploy'")
  })
})
