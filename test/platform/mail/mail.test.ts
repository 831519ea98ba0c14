import { ada, wireWorld } from '../wire-world'
import { signUp } from './mail-world'

describe('a mailbox', () => {
  it('has mails with the project as their sender', async () => {
    const world = wireWorld({ seed: { project: { displayName: 'Shop' } } })
    await signUp(world, 'grace@example.com')
    expect((await world.platform.mailbox('grace@example.com').next()).from).toMatch(/^Shop <noreply@[^>]+>$/)
  })

  it('escapes names and other input in the HTML of a mail', async () => {
    const world = wireWorld({ seed: { project: { displayName: '<b>"Shop" & Co</b>' } } })
    await signUp(world, 'grace@example.com')
    const { html, text } = await world.platform.mailbox('grace@example.com').next()
    expect(html).not.toContain('<b>')
    expect(text).toContain('<b>"Shop" & Co</b>')
  })
})

describe('a mail scanner', () => {
  it("opens every link before next returns the mail: the app's with `open`, the platform's itself", async () => {
    const world = wireWorld()
    const callbacks = ['http://localhost:3000/v', `${world.platform.options.baseUrl}/api/v1/projects/current`]
    const opened: string[] = []
    const seen: string[] = []
    world.platform.requests$.subscribe({ next: ({ path }) => seen.push(path) })
    for (const [index, verification_callback_url] of callbacks.entries()) {
      const body = { email: `grace${index}@example.com`, password: ada.password, verification_callback_url }
      await world.ask('POST /auth/password/sign-up', { body })
      const options = { scanner: true, open: (url: string) => void opened.push(url) }
      const mail = await world.platform.mailbox(body.email, options).next()
      expect(opened).toEqual(index === 0 ? mail.links : opened.slice(0, 1))
    }
    expect(opened).toHaveLength(1)
    expect(seen).toEqual(['/auth/password/sign-up', '/auth/password/sign-up', '/projects/current'])
  })

  it("uses no code by opening links, and skips the app's links without `open`", async () => {
    const world = wireWorld()
    await signUp(world, 'grace@example.com')
    const { code } = await world.platform.mailbox('grace@example.com', { scanner: true }).next()
    expect((await world.ask('POST /contact-channels/verify', { body: { code } })).status).toBe(200)
  })
})
