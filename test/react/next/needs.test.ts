import { needsOf, type PathNeeds } from '../../../react/next/needs'

const own = { signedIn: true } as const
const admin = { signedIn: true, can: 'admin' } as const

const needOf = needsOf({
  '/': null,
  '/account': own,
  '/admin/[[...rest]]': admin,
  '/admin/help': null,
  '/docs/[...page]': ({ page = '' }) => ({ signedIn: true, can: page }),
  '/[locale]/account': own,
  '/teams/[teamId]': ({ teamId = '' }) => ({ signedIn: true, teamId }),
  '/teams/new/': null,
  '/[[...rest]]': { signedIn: true, verified: true },
})

const verified = { signedIn: true, verified: true }

// Promise: next-proxy
it.each<[path: string, need: unknown]>([
  ['/', null],
  ['/account', own],
  ['/account/', own],
  ['//account', own],
  ['/%61ccount', own],
  ['/account/settings', verified],
  ['/Account', verified],
  ['/account%2F', verified],
  ['/account%', verified],
  ['/de/account', own],
  ['/admin', admin],
  ['/admin/users/7', admin],
  ['/admin/help', null],
  ['/admin/%68elp', null],
  ['/docs', verified],
  ['/docs/a', { signedIn: true, can: 'a' }],
  ['/docs/a/b%2Fc', { signedIn: true, can: 'a/b/c' }],
  ['/teams/team-1', { signedIn: true, teamId: 'team-1' }],
  ['/teams/__proto__', { signedIn: true, teamId: '__proto__' }],
  ['/teams/new', null],
  ['/teams/team-1/members', verified],
])('%s needs %j', (path, need) => {
  expect(needOf(path)).toEqual(need)
})

it('the pattern of one page is chosen before one that goes on, and names may be encoded', () => {
  for (const need of [needsOf({ '/a': own, '/a/[[...b]]': admin }), needsOf({ '/a/[[...b]]': admin, '/a': own })])
    expect(['/a', '/a/b'].map(need)).toEqual([own, admin])
  expect(['/h%C3%B6he', '/h%c3%b6he', '/höhe'].map(needsOf({ '/h%C3%B6he': own }))).toEqual([own, own, own])
  const odd = needsOf({ '/[__proto__]': params => ({ signedIn: true, can: params['__proto__'] ?? '' }) })
  expect(odd('/a')).toEqual({ signedIn: true, can: 'a' })
})

it('a path of no pattern has no need', () => {
  expect(needsOf({ '/account': own })('/accounts')).toBeUndefined()
})

it('the order in which needs are written does not count', () => {
  const needs: PathNeeds = { '/[[...rest]]': own, '/[page]': admin, '/help': null, '/[...rest]': verified as never }
  const turned = Object.fromEntries(Object.entries(needs).reverse())
  for (const path of ['/', '/help', '/a', '/a/b'])
    expect([path, needsOf(turned)(path)]).toEqual([path, needsOf(needs)(path)])
  expect(['/help', '/a', '/a/b', '/'].map(needsOf(needs))).toEqual([null, admin, verified, own])
})

// Promise: next-proxy
it.each([
  '/teams/:teamId',
  '/admin/*',
  '/(group)/account',
  '/@modal/account',
  '/a?b',
  '/[id',
  '/[[id]]',
  '/a/[...rest',
])('refuses %s, which would guard no page', path => {
  expect(() => needsOf({ [path]: own })).toThrow(/\[id\], \[\.\.\.rest\] or \[\[\.\.\.rest\]\]/)
})
