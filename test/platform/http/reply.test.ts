import { refusalReply } from '../../../src/platform/http/reply'

it('a defect of the platform says so, with the id that its header has', () => {
  const reply = refusalReply(new TypeError('users is undefined'))
  const requestId = reply.headers['x-stack-request-id']
  expect(requestId).toMatch(/^\w{16}$/)
  expect(reply).toMatchObject({
    status: 500,
    body: `The local platform itself failed. TypeError: users is undefined\nRequest: ${requestId}`,
  })
  expect(refusalReply('no error').body).toContain('itself failed. no error\n')
})
