import { dropPlace, isSameRoute, returnIn, setReturn } from '../../src/navigation/route'

const app = 'https://app.example.com'
const url = (path: string) => new URL(path, app)

describe('an address in `urls`', () => {
  // Promise: page-is-path-and-route
  it.each([
    ['/login', '/login'],
    ['/login', '/login/'],
    ['/login/', '/login'],
    ['/login', '/login?x=1#form'],
    ['/login#form', '/login'],
    ['/', '/'],
    ['/', '/?x=1#top'],
    ['/#/login', '/#/login'],
    ['/#/login', '/#/login/'],
    ['/#/login/', '/#/login?x=1'],
    ['/#/login', '/?code=1#/login'],
    ['/#/login', '/#/login#form'],
    ['/#!/login', '/#!/login?x=1'],
    ['/app#/login', '/app/#/login'],
    ['/#/', '/'],
    ['/', '/#/'],
    ['/?page=login', '/?page=login&x=1'],
    ['/?page=login', '/?x=1&page=login#form'],
    ['/?page=login&step=1', '/?step=1&page=login'],
    ['/?page=login', '/?page=home&page=login'],
    ['/#/?page=login', '/#/?x=1&page=login'],
    ['/de/?page=login#/x?step=2', '/de?page=login&y=1#/x/?z=1&step=2'],
    ['/l\u00f6gin', '/l%c3%b6gin'],
    ['/login', '/%6Cogin'],
    ['/#/l\u00f6gin', '/#/l%c3%b6gin/'],
    ['/100%', '/100%?x=1'],
  ])('%s is shown at %s', (target, page) => {
    expect(isSameRoute(url(page), url(target))).toBe(true)
  })

  // Promise: page-is-path-and-route
  it.each([
    ['/login', '/'],
    ['/login', '/de/login'],
    ['/login', '/Login'],
    ['/login', '/login/form'],
    ['/a/b', '/a%2Fb'],
    ['/login', '/login#/other'],
    ['/', '/#/login'],
    ['/#/login', '/'],
    ['/#/login', '/#/'],
    ['/#/login', '/#/invoices'],
    ['/#/login', '/#/login/form'],
    ['/#/login', '/#login'],
    ['/#/login', '/login'],
    ['/#/login', '/app#/login'],
    ['/#!/login', '/#!/invoices'],
    ['/?page=login', '/'],
    ['/?page=login', '/?page=home'],
    ['/?page=login', '/?page='],
    ['/?page=login', '/#/?page=login'],
    ['/#/?page=login', '/?page=login'],
    ['/?page=login&step=1', '/?page=login'],
    ['/de/?page=login#/x', '/de?page=login'],
  ])('%s is not shown at %s', (target, page) => {
    expect(isSameRoute(url(page), url(target))).toBe(false)
  })
})

describe('a return address', () => {
  // Promise: page-is-path-and-route
  it.each([
    ['/login', '/login?after_auth_return_to=%2Fa%3Fb%23c'],
    ['/login?x=1#form', '/login?x=1&after_auth_return_to=%2Fa%3Fb%23c#form'],
    ['/#/login', '/#/login?after_auth_return_to=%2Fa%3Fb%23c'],
    ['/?y=2#/login?x=1', '/?y=2#/login?x=1&after_auth_return_to=%2Fa%3Fb%23c'],
    ['/#!/login', '/#!/login?after_auth_return_to=%2Fa%3Fb%23c'],
    ['/#/login?x=1#form', '/#/login?x=1&after_auth_return_to=%2Fa%3Fb%23c#form'],
    ['/#/login#form', '/#/login?after_auth_return_to=%2Fa%3Fb%23c#form'],
    ['/#/login?after_auth_return_to=%2Fold', '/#/login?after_auth_return_to=%2Fa%3Fb%23c'],
  ])('is written into %s as %s, and read there', (page, expected) => {
    const target = url(page)
    setReturn(target, '/a?b#c')
    expect(target.href).toBe(app + expected)
    expect(returnIn(target)).toBe('/a?b#c')
  })

  it.each([
    ['/#/login?after_auth_return_to=/a', '/a'],
    ['/#/login?after_auth_return_to=/%23/a?b=1', '/#/a?b=1'],
    ['/?after_auth_return_to=/search#/login?after_auth_return_to=/hash', '/hash'],
    ['/?after_auth_return_to=/search#/login?after_auth_return_to=', '/search'],
    ['/?after_auth_return_to=/search#/login', '/search'],
    ['/?after_auth_return_to=/search#login?after_auth_return_to=/place', '/search'],
    ['/#login?after_auth_return_to=/place', null],
    ['/#/login', null],
  ])('in %s is %s', (page, expected) => {
    expect(returnIn(url(page))).toBe(expected)
  })
})

it.each([
  ['/x#form', '/x'],
  ['/x#', '/x'],
  ['/x#/login?a=1', '/x#/login?a=1'],
  ['/x#!/login', '/x#!/login'],
  ['/x#!login', '/x'],
])('without a place on the page, %s is %s', (page, expected) => {
  const target = url(page)
  dropPlace(target)
  expect(target.href).toBe(app + expected)
})
