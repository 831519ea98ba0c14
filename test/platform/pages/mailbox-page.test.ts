import { ada, toAnswer, wireWorld, type World } from '../wire-world'

async function page({ platform }: World, query = '', method = 'GET') {
  return toAnswer(await platform.fetch(new Request(`${platform.options.baseUrl}/mailbox${query}`, { method })))
}

async function reset({ ask }: World, email: string): Promise<void> {
  const body = { email, callback_url: 'http://localhost:3000/reset?a=1&b=2' }
  await ask('POST /auth/password/send-reset-code', { body })
}

/** A mail server of the project's own, without which it sends no mails of its own. */
const emailConfig = {
  ...({ type: 'standard', host: 'mail.example', port: 25, username: 'u', password: 'p' } as const),
  ...{ senderName: 'Shop', senderEmail: 'shop@example.com' },
}

describe('the mailbox page', () => {
  const users = [ada, { email: 'grace@example.com' }]

  it('shows mails newest first, with links to open', async () => {
    const world = wireWorld({
      seed: { users, project: { displayName: '<b>Shop</b>', config: { magicLinkEnabled: true } } },
    })
    expect((await page(world)).text).toContain('No mail yet.')
    await reset(world, ada.email)
    await reset(world, 'grace@example.com')
    const { status, headers, text } = await page(world)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html'])
    expect(headers.has('access-control-allow-origin')).toBe(false)
    const mails = text.slice(text.indexOf('<article'))
    expect(mails.indexOf('>grace@example.com<')).toBeLessThan(mails.indexOf('>ada@example.com<'))
    const { links } = world.platform.mailbox(ada.email).messages[0]!
    expect(text).toContain(`<a href="${links[0]!.replaceAll('&', '&#38;')}">`)
    expect(text).not.toContain('<b>')
    expect(text).toContain('<time datetime="2026-01-01T00:00:00.000Z">')
  })

  it.each(['/settings', '', '#top', 'javascript:alert(1)', 'http://'])(
    'has no button for the link "%s"',
    async href => {
      const world = wireWorld({ seed: { users: [ada], project: { config: { emailConfig } } } })
      const body = {
        user_ids: [ada.id],
        subject: 'Offer',
        notification_category_name: 'Transactional',
        html: `<a href="${href}">See it</a>`,
      }
      expect((await world.ask('POST /emails/send-email', { access: 'server', body })).status).toBe(200)
      const { status, text } = await page(world)
      expect(status).toBe(200)
      const mail = text.slice(text.indexOf('<article'))
      expect(mail).toContain('See it')
      expect(mail).not.toContain('>Open ')
    },
  )

  it('shows one address, in any letter case', async () => {
    const world = wireWorld({ seed: { users } })
    await reset(world, ada.email)
    await reset(world, 'grace@example.com')
    const { text } = await page(world, '?address=ADA@example.com')
    expect(text.match(/<article/g)).toHaveLength(1)
    expect(text).toContain('Show every address')
  })

  it('offers the seeded users, also those without mails', async () => {
    const world = wireWorld({ seed: { users, owners: [{ email: 'olivia+o@example.com' }] } })
    const { text } = await page(world)
    for (const address of [ada.email, 'grace@example.com', 'olivia+o@example.com']) {
      expect(text).toContain(`<option value="${address}">`)
      expect(text).toContain(`<a href="/mailbox?${new URLSearchParams({ address })}">${address}</a>`)
    }
    expect((await page(world, '?address=ADA@example.com')).text).toContain(`No mail to ${ada.email} yet.`)
  })

  it('shows the code to type', async () => {
    const world = wireWorld({ seed: { users, project: { config: { magicLinkEnabled: true } } } })
    const body = { email: 'new@example.com', callback_url: 'http://localhost:3000/m' }
    await world.ask('POST /auth/otp/send-sign-in-code', { body })
    const { code } = await world.platform.mailbox('new@example.com').next()
    expect((await page(world)).text).toContain(`<strong>${code}</strong>`)
  })

  it('does not exist on a strict platform, nor for other methods', async () => {
    expect((await page(wireWorld({ compatibility: 'strict' }))).status).toBe(404)
    expect((await page(wireWorld(), '', 'POST')).status).toBe(405)
  })
})
