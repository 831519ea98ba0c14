import { AuthError, isRefusedWith } from '../../src/errors/auth-error'

const notFound = new AuthError('REQUEST_FAILED', 'no', { status: 404, details: { status: 404 } as never })
const noTeam = new AuthError('TEAM_NOT_FOUND', 'no', { status: 404 })

describe('isRefusedWith', () => {
  it.each([
    ['a status without a code', notFound, [400, 404], true],
    ['another status', notFound, [400, 403], false],
    ['a code', noTeam, ['TEAM_NOT_FOUND'], true],
    ['another code', noTeam, ['SCHEMA_ERROR'], false],
    // The status of a refusal that has a code may belong to a refusal of another kind.
    ['the status beside a code', noTeam, [404], false],
    ['a failure without an answer', new AuthError('NETWORK_ERROR', 'offline'), [404, 0], false],
    ['nothing', notFound, [], false],
    ['what is no error of the kit', { code: 'TEAM_NOT_FOUND', status: 404 }, ['TEAM_NOT_FOUND', 404], false],
    ['null', null, [404], false],
  ] as const)('compares %s', (_, error, refusals, isOne) => {
    expect(isRefusedWith(error, refusals)).toBe(isOne)
  })
})
