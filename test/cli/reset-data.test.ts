import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { data, folder, rxauth } from './data-command'
import { dev } from './terminal'

describe('rxauth reset', () => {
  it.each([
    ['y', 0, false],
    [' Yes ', 0, false],
    ['n', 1, true],
    ['', 1, true],
  ])('asks first: %j', async (answer, code, remains) => {
    await rxauth(['seed'])
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return answer
    }
    expect(await rxauth(['reset'], { isInteractive: true, ask })).toMatchObject({ code })
    expect(questions).toEqual(['Delete everybody and everything in .rxauth/data.sqlite? (y/N) '])
    expect(existsSync(data())).toBe(remains)
  })

  it('does not ask with --yes, and fails without a terminal', async () => {
    await rxauth(['seed'])
    expect(await rxauth(['reset'])).toEqual({
      code: 2,
      out: '',
      err: 'rxauth: reset asks before it deletes, which needs a terminal: give --yes\n',
    })
    expect(existsSync(data())).toBe(true)
    expect(await rxauth(['reset', '--yes'])).toEqual({ code: 0, out: '.rxauth/data.sqlite was deleted.\n', err: '' })
    expect(existsSync(data())).toBe(false)
    expect(await rxauth(['reset', '--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('nothing was') })
  })

  it('keeps a file that a platform has open, and files of other programs', async () => {
    const platform = await dev(['--data', '.rxauth/data.sqlite'], { folder })
    expect(await rxauth(['reset', '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is open in another process: end `rxauth dev` first'),
    })
    await platform.stop()
    const other = new Database(join(folder, 'other.db'))
    other.exec('CREATE TABLE lists (id TEXT)')
    other.close()
    writeFileSync(join(folder, 'list.txt'), 'milk and bread and butter and cheese '.repeat(10))
    for (const name of ['other.db', 'list.txt']) {
      expect(await rxauth(['reset', '--yes', '--data', name])).toMatchObject({ code: 1 })
      expect(existsSync(join(folder, name))).toBe(true)
    }
  })
})
