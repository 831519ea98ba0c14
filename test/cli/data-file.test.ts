import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClientApp, memoryTokens } from 'rxauth'
import { dev, terminal } from './terminal'
import { password, start } from './developed'

describe('the data of rxauth dev', () => {
  it('keeps users and sessions after a restart', async () => {
    const { folder } = terminal().io
    const first = await dev(['--data', '.rxauth/data.sqlite'], { folder })
    const tokens = memoryTokens()
    const app = createClientApp({ baseUrl: first.url, tokens })
    await app.signUpWithPassword({ email: 'new@example.com', password, verificationCallbackUrl: 'http://localhost/v' })
    await first.stop()
    const again = await start(['--data', '.rxauth/data.sqlite'], { folder })
    const user = await createClientApp({ baseUrl: again.url, tokens }).user$.get()
    expect(user?.primaryEmail).toBe('new@example.com')
    expect(again.out()).toContain('with the passwords that they began with')
  })

  it('that cannot be made is refused with the options that help', async () => {
    const { run } = await import('../../src/cli/run')
    const { io, err } = terminal()
    expect(await run(['dev', '--data', '.'], io)).toBe(1)
    expect(err()).toMatch(
      /EISDIR.*; choose another file, or keep the data in memory: by --data FILE, or --data memory\n$/,
    )
  })

  it('is in memory on request, without a file', async () => {
    const { io, out, stop } = await dev()
    expect(out()).toMatch(/^Data +in memory/m)
    await stop()
    expect(existsSync(join(io.folder, '.rxauth/data.sqlite'))).toBe(false)
  })
})
