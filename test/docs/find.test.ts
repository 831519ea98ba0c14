import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { search } from '../../docs/.vitepress/search'
import { root } from './blocks'
import { pagesOfDocs } from './links'
import { questions } from './questions'

/** A part of a page, as the search of the site has it. */
interface Section {
  readonly id: string
  readonly path: string
  readonly title: string
  /** The headings above it. */
  readonly titles: readonly string[]
  readonly text: string
}

/** The pages that the package contains for those tasks, part by part. */
function sectionsOf(page: string): Section[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/<!--[^]*?-->/g, '')
  const [, head = ''] = /^# (.*)/m.exec(text) ?? []
  return text.split(/^(?=##+ )/m).map((part, index) => {
    const [, heading = head] = /^##+ (.*)/.exec(part) ?? []
    const titles = index === 0 ? [] : [head]
    return { id: `${page}#${index}`, path: page.replace(/\W/g, ' '), title: heading, titles, text: part }
  })
}

const { searchOptions } = search.options.miniSearch

describe('the pages of the package', () => {
  const index = new MiniSearch<Section>({
    fields: ['path', 'title', 'titles', 'text'],
    storeFields: ['titles'],
    processTerm: searchOptions.processTerm,
    searchOptions: { ...searchOptions, boost: { path: 2, title: 4, titles: 1 } },
  })
  const pages = ['AGENTS.md', 'README.md', ...pagesOfDocs()].filter(
    page => !/contributing|docs\/(README|index)/.test(page),
  )
  index.addAll(pages.flatMap(sectionsOf))

  function firstPages(words: string): string[] {
    const found = index.search(words).map(({ id }) => String(id).replace(/#.*/, ''))
    return [...new Set(found)].slice(0, 3)
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
  ])('that are found first for "%s" are those of %s', (task, page) => {
    expect(firstPages(task)).toEqual([page, expect.anything(), expect.anything()])
  })

  it.each(questions)('answer on %s, which is among the first three, "%s" and its other words', (page, ...words) => {
    expect(words.filter(each => !firstPages(each).includes(page))).toEqual([])
  })
})
