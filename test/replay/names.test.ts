import { shownName } from '../../src/replay/definitions'

describe('the name of a part of an end', () => {
  it.each([
    ['auth$', 'auth$'],
    ['client GET /users/me {}', 'user$'],
    ['client GET /teams {}', 'teams$'],
    ['client GET /contact-channels', 'contactChannels$'],
    [
      'client GET /teams/{teamId} {"teamId":"00000000-0000-4000-8000-000000000001"}',
      'team$ {"teamId":"00000000-0000-4000-8000-000000000001"}',
    ],
    ['client GET /nothing {}', 'client GET /nothing'],
    ['constructor', 'constructor'],
  ])('of %s is %s', (part, name) => expect(shownName(part)).toBe(name))
})
