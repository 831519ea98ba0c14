import { configure, folder, rxauth } from './data-command'
import { dev } from './terminal'

describe('rxauth seed', () => {
  it('creates the data file, and adds missing users later', async () => {
    configure({ seed: { users: [{ email: 'sam@example.com' }] } })
    expect(await rxauth(['seed'])).toEqual({
      code: 0,
      out: '.rxauth/data.sqlite has 1 person, 0 teams, 0 owners of the seed.\n',
      err: '',
    })
    configure({ seed: { users: [{ email: 'sam@example.com' }, { email: 'tom@example.com' }] } })
    expect(await rxauth(['seed'])).toMatchObject({ code: 0 })
    // The configuration adds no users now.
    configure({ seed: {} })
    expect(await people()).toEqual(['sam@example.com', 'tom@example.com'])
  })

  it('refuses data that is open, and data in memory', async () => {
    const platform = await dev(['--data', '.rxauth/data.sqlite'], { folder })
    expect(await rxauth(['seed'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is open in another process: end the other `rxauth dev`'),
    })
    await platform.stop()
    expect(await rxauth(['seed', '--data', 'memory'])).toMatchObject({
      code: 1,
      err: 'rxauth: data in memory cannot be seeded: name a file with --data\n',
    })
  })
})

/** The names of all users in the data. */
async function people(args: readonly string[] = ['--data', '.rxauth/data.sqlite']): Promise<(string | null)[]> {
  const platform = await dev(args, { folder })
  const { items } = (await (await platform.ask('/users')).json()) as { items: { primary_email: string | null }[] }
  await platform.stop()
  return items.map(({ primary_email }) => primary_email)
}
