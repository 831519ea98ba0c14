import { ada, expectPlain, expectRefusal, team, wireWorld } from '../wire-world'
import { emailConfig } from '../../mail-server'

const types = ['email_verification', 'password_reset', 'magic_link', 'team_invitation', 'sign_in_invitation'] as const

function make(config: object = { emailConfig }) {
  const world = wireWorld({
    seed: {
      project: { displayName: 'Shop & Co', config: { magicLinkEnabled: true, ...config } },
      users: [ada],
      teams: [{ ...team, displayName: 'Ops <1>', members: [ada] }],
    },
  })
  const asAdmin = (line: string, body?: unknown) =>
    world.ask(line, { access: 'admin', ...(body !== undefined && { body }) })
  const callback_url = 'http://localhost:3000/x?a=1'
  /** Makes the platform send its mail of the type. */
  const send = async (type: (typeof types)[number]) => {
    const [line, body] = {
      email_verification: [
        'POST /auth/password/sign-up',
        { email: 'new@example.com', password: 'correct horse', verification_callback_url: callback_url },
      ],
      password_reset: ['POST /auth/password/send-reset-code', { email: ada.email, callback_url }],
      magic_link: ['POST /auth/otp/send-sign-in-code', { email: ada.email, callback_url }],
      team_invitation: [
        'POST /team-invitations/send-code',
        { email: 'new@example.com', team_id: team.id, callback_url },
      ],
      sign_in_invitation: ['POST /internal/send-sign-in-invitation', { email: 'new@example.com', callback_url }],
    }[type] as [string, { email: string }]
    const access = type === 'sign_in_invitation' ? 'admin' : type === 'team_invitation' ? 'server' : 'client'
    expect((await world.ask(line, { access, body })).status).toBe(200)
    return world.platform.mailbox(body.email).next()
  }
  return { ...world, asAdmin, send }
}

const own = {
  subject: '{{projectDisplayName}}: {{ userDisplayName }}!',
  content: {
    root: { type: 'EmailLayout', data: { backdropColor: '#ABCDEF', childrenIds: ['t'] } },
    t: {
      type: 'Text',
      data: {
        props: {
          text: [
            'About: {{ userDisplayName }} {{ teamDisplayName }} {{ otp }}',
            '{{ emailVerificationLink }}{{ passwordResetLink }}{{ magicLink }}{{ teamInvitationLink }}{{ signInInvitationLink }}',
          ].join('\n'),
        },
      },
    },
  },
}

describe('the e-mail templates of a project', () => {
  it('can be changed only by a project with its own mail server, and only to a document', async () => {
    const { asAdmin } = make()
    expectPlain(await make({}).asAdmin('PATCH /email-templates/magic_link', { subject: 'x' }), 400)
    expectPlain(await asAdmin('PATCH /email-templates/magic_link', { content: { root: 1 } }), 400)
    expectRefusal(await asAdmin('PATCH /email-templates/magic_link', { content: null }), 'SCHEMA_ERROR')
    expectRefusal(await asAdmin('PATCH /email-templates/magic_link', { type: 'magic_link' }), 'SCHEMA_ERROR')
    expect((await asAdmin('GET /email-templates/magic_link')).body.is_default).toBe(true)
  })
})

describe.each(types)('the mail %s', type => {
  it("has the project's text, with HTML in names escaped", async () => {
    const { asAdmin, send } = make()
    const displayName = '<b>Ada</b>'
    await asAdmin(`PATCH /users/${ada.id}`, { display_name: displayName })
    expect((await asAdmin(`PATCH /email-templates/${type}`, own)).status).toBe(200)
    const { subject, html, text, links, code } = await send(type)
    const knowsUser = type === 'password_reset' || type === 'magic_link'
    expect(subject).toBe(knowsUser ? 'Shop & Co: <b>Ada</b>!' : 'Shop & Co: !')
    const [first, second] = text.trimEnd().split('\n')
    const team = type === 'team_invitation' ? 'Ops <1>' : ''
    const otp = type === 'magic_link' ? code : ''
    expect(first).toBe(`About: ${knowsUser ? displayName : ''} ${team} ${otp}`)
    expect(links).toEqual([second])
    expect(html).toContain('#ABCDEF')
    expect(html).not.toMatch(/<b>|<1>/)
  })
})
