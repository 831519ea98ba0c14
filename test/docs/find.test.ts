import { docsSearch } from '../../src/cli/mcp/search-docs'
import { root } from './blocks'
import { questions } from './questions'

describe('the pages of the package', () => {
  const search = docsSearch(root)

  function firstPages(words: string): string[] {
    return search(words)
      .slice(0, 3)
      .map(({ page }) => page)
  }

  it.each([
    ['sign in with email and password', 'docs/password.md'],
    ['sign in with google', 'docs/oauth.md'],
    ['magic link', 'docs/magic-link.md'],
    ['passkey', 'docs/passkey.md'],
    ['reset a forgotten password', 'docs/password.md'],
    ['add sign-in to next.js', 'docs/guides/next.md'],
    ['verify the access token of an api', 'docs/protect-your-backend.md'],
    ['invite a member to a team', 'docs/team-invitations.md'],
    ['check a permission', 'docs/teams.md'],
    ['create an api key', 'docs/api-keys.md'],
    ['current user in a react component', 'docs/hooks.md'],
    ['write a test of the app', 'docs/testing.md'],
    ['verify a webhook', 'docs/webhooks.md'],
    ['two factor', 'docs/second-factor.md'],
    ['rxauth mcp', 'docs/dev-server.md'],
    ['install rxauth', 'README.md'],
  ])('that are found first for "%s" are those of %s', (task, page) => {
    expect(firstPages(task)).toEqual([page, expect.anything(), expect.anything()])
  })

  // Promise: questions-answered
  it.each(questions)('answer on %s, which is among the first three, "%s" and its other words', (page, ...words) => {
    expect(words.filter(each => !firstPages(each).includes(page))).toEqual([])
  })
})
