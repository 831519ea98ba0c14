import type { Seed } from '../../../src/platform/test-tools/seed'
import { ada, wireWorld } from '../wire-world'

/** The newest mail to Ada after a password reset, in a project with these settings. */
async function mailOf(project: NonNullable<Seed['project']>): Promise<string> {
  const { ask, platform } = wireWorld({ seed: { users: [ada], project } })
  const body = { email: ada.email, callback_url: 'http://localhost:3000/reset' }
  await ask('POST /auth/password/send-reset-code', { body })
  return platform.mailbox(ada.email).messages.at(-1)!.html
}

const logoUrl = 'https://shop.example/logo.png'

describe('the letterhead of a mail', () => {
  it('has the logo instead of the name, with the name as its alternative text', async () => {
    const html = await mailOf({ displayName: 'Shop', logoUrl })
    expect(html).toContain(`<img src="${logoUrl}" alt="Shop" height="40">`)
  })

  it.each(['javascript:alert(1)', 'logo.png', ''])('shows no logo at "%s"', async address => {
    expect(await mailOf({ displayName: 'Shop', logoUrl: address })).toContain('font-weight:bold">Shop</p>')
  })

  it('has the logo for dark pages in the dark theme', async () => {
    const { ask, platform } = wireWorld({
      wire: '2026',
      seed: { users: [ada], project: { logoUrl, config: { emailTheme: 'default-dark' } } },
    })
    const dark = 'https://shop.example/dark.png'
    await ask('PATCH /internal/projects/current', { access: 'admin', body: { logo_dark_mode_url: dark } })
    await ask('POST /auth/password/send-reset-code', {
      body: { email: ada.email, callback_url: 'http://localhost:3000/reset' },
    })
    expect(platform.mailbox(ada.email).messages[0]!.html).toContain(`<img src="${dark}"`)
  })
})

describe('the colour of a project', () => {
  it.each([
    ['#5b4bdb', '#FFFFFF'],
    ['#ffd54f', '#000000'],
    ['#fff', '#000000'],
    ['#123', '#FFFFFF'],
  ])('%s is used for buttons, with text in %s', async (color, text) => {
    const html = await mailOf({ color })
    expect(html).toContain(`background-color:${color};color:${text}`)
    expect(html).toContain(`border-top:4px solid ${color}`)
  })

  it.each(['red', '#5b4bdb;x:y', null])('is the colour of the theme for a project with %j', async color => {
    expect(await mailOf({ color })).toContain('border-top:4px solid #1D4ED8')
  })
})
