import fc from 'fast-check'
import {
  absoluteUrl,
  afterAuth,
  isTrustedTarget,
  pathBelow,
  presentPage,
  rememberedReturn,
  withReturn,
} from '../../src/navigation/targets'
import type { Navigation } from '../../src/navigation/targets'
import { runs } from '../runs'
import { destination, hostilePieces, hostileTexts, hostsBelow } from './hostile-texts'

function navigation(href: string | undefined, trustedDomains: readonly string[] = []): Navigation {
  return { urls: {}, trustedDomains, href: () => href }
}

/** The pages that an app can be on; undefined: a server. */
const pages = ['https://app.example.com/a/b?x=1#y', 'http://app.example.com/', 'http://localhost:3000/a', undefined]
const everywhere = pages.map(page => [page] as const)

describe.each(everywhere)('on %s', page => {
  const here = navigation(page)

  it.each([
    '/',
    '/a',
    '/a?b=c#d',
    'a/b',
    './a',
    '../a',
    '',
    '?x=1',
    '#y',
    '/a//b',
    '/%2F%2Fevil.example',
    '/a\\b',
    '/:',
    '/@',
  ])('a relative target is trusted: "%s"', target => {
    expect(isTrustedTarget(here, target)).toBe(true)
  })

  it.each([
    'https://evil.example',
    'http://evil.example/',
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/\n/evil.example',
    '\r\n//evil.example',
    ' //evil.example',
    '\u0000//evil.example',
    '\u001f\\\\evil.example',
    'https:\\\\evil.example',
    'ht\ntps://evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'javascript://%0aalert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'blob:https://app.example.com/1',
    'blob:http://localhost:3000/1',
    'filesystem:https://app.example.com/x',
    'file:///etc/passwd',
    'mailto:a@b.example',
    'about:blank',
    'ftp://app.example.com/',
    'ws://app.example.com/',
    'https://app.example.com@evil.example/',
    'https://app.example.com:443@evil.example/',
    'https://user@app.example.com/',
    'https://user:pass@app.example.com/',
    '//user@app.example.com/',
    'https://app.example.com.evil.example/',
    'https://app.example.com:444/',
    'http://localhost:3001/',
    'https://аpp.example.com/',
    'https://xn--pp-7kc.example.com/',
    'https://app。example。com.evil.example',
    'https://sub.app.example.com/',
    'https://[::1]/',
    'https://',
    'http://',
    '//',
  ])('is never trusted: %j', target => {
    expect(isTrustedTarget(here, target)).toBe(false)
  })
})

describe('the own origin', () => {
  it.each([
    ['https://app.example.com/x', 'https://app.example.com/other', true],
    ['https://app.example.com/x', 'https://APP.example.com:443/other', true],
    ['https://app.example.com/x', 'http://app.example.com/', false],
    ['http://localhost:3000/', 'http://localhost:3000/a', true],
    ['http://localhost:3000/', 'http://localhost/a', false],
    [undefined, 'https://relative.invalid/x', false],
  ])('on %s, %s is trusted: %s', (page, target, expected) => {
    expect(isTrustedTarget(navigation(page), target)).toBe(expected)
  })

  it.each(['https:evil.example', 'https:/evil.example', 'HTTPS:evil.example'])(
    'on a server, "%s" is another host for a page on http, so it is not relative',
    target => {
      expect(isTrustedTarget(navigation(undefined), target)).toBe(false)
      expect(isTrustedTarget(navigation('http://app.example.com/'), target)).toBe(false)
    },
  )

  it.each(['about:blank', 'data:text/html,x'])('of the page %s is none, so nothing is trusted', page => {
    for (const target of ['/a', 'https://app.example.com/', 'javascript:alert(1)', 'data:text/html,x', page])
      expect(isTrustedTarget(navigation(page), target)).toBe(false)
  })
})

describe('a trusted domain', () => {
  it.each<[domain: string, target: string, expected: boolean]>([
    ['https://b.example', 'https://b.example/x', true],
    ['https://b.example', 'https://B.EXAMPLE/x', true],
    ['https://b.example/', 'https://b.example/x', true],
    ['https://b.example', 'https://b.example:443/', true],
    ['https://b.example', 'https://b.example:8443/', false],
    ['https://b.example:8443', 'https://b.example:8443/', true],
    ['https://b.example:8443', 'https://b.example/', false],
    ['https://b.example', 'http://b.example/', false],
    ['http://b.example', 'https://b.example/', false],
    ['https://b.example', 'https://x.b.example/', false],
    ['https://b.example', 'https://b.example.evil.example/', false],
    ['https://b.example', 'https://b.example@evil.example/', false],
    ['https://b.example', 'https://user@b.example/', false],
    ['https://b.example', 'https://b.example./', false],
    ['https://b.example', '//b.example/', true],
    ['https://*.b.example', 'https://x.b.example/', true],
    ['https://*.b.example', 'https://x-y_z.b.example/', true],
    ['https://*.b.example', 'https://b.example/', false],
    ['https://*.b.example', 'https://x.y.b.example/', false],
    ['https://*.b.example', 'https://.b.example/', false],
    ['https://*.b.example', 'https://xb.example/', false],
    ['https://*.b.example', 'https://evil.example/x.b.example', false],
    ['https://*.b.example', 'https://x.b.example:444/', false],
    ['https://*.b.example:444', 'https://x.b.example:444/', true],
    ['https://*.b.example', 'http://x.b.example/', false],
    ['https://bücher.example', 'https://xn--bcher-kva.example/', true],
    ['https://xn--bcher-kva.example', 'https://bücher.example/', true],
    ['https://bucher.example', 'https://bücher.example/', false],
    ['https://*.*.example', 'https://a.b.example/', true],
    ['https://*.*.example', 'https://a.example/', false],
    ['https://x*.b.example', 'https://xy.b.example/', true],
    ['https://x*.b.example', 'https://x.y.b.example/', false],
    ['https://x*.b.example', 'https://yx.b.example/', false],
    ['https://*.bücher.example', 'https://x.xn--bcher-kva.example/', true],
    ['https://*。b.example', 'https://x。b.example/', true],
    ['https://x.b.example', 'https://x0b.example/', false],
    ['https://**.b.example', 'https://x.y.b.example/', true],
    ['https://**.b.example', 'https://x.b.example/', true],
    ['https://**.b.example', 'https://b.example/', false],
    ['https://**.b.example', 'https://evilb.example/', false],
    ['https://**.b.example', 'https://evil.example#.b.example', false],
    ['https://**.b.example', 'https://evil.example?x.b.example', false],
    ['https://**.b.example', 'https://evil.example\\.b.example', false],
    ['https://**.b.example', 'https://evil.example/.b.example', false],
    ['https://**.b.example', 'https://x.b.example@evil.example/', false],
    ['https://**.b.example', 'https://evil.example%23.b.example/', false],
    ['https://**.b.example', 'https://evil.example\t#.b.example/', false],
    ['https://**.b.example', 'https://x.b.example.evil.example/', false],
    ['https://**.b.example', 'https://x.b。example/', true],
    ['https://**.b.example', 'https://evil.example／.b.example/', false],
    ['https://**.b.example', `https://${'a.'.repeat(500_000)}b.example/`, false],
    ['https://*.b.example:*', 'https://x.b.example:8443/', true],
    ['https://*.b.example:*', 'https://x.b.example/', true],
    ['https://*.b.example:*', 'http://x.b.example:8443/', false],
    ['https://*.b.example:*', 'https://x.b.example:8443@evil.example/', false],
    ['https://*.b.example:*', 'https://evil.example:8443#.b.example', false],
    ['https://b.example:*/app', 'https://b.example:1/', true],
    ['http://localhost:*', 'http://localhost:5173/', true],
    ['http://localhost:*', 'http://localhost.evil.example:5173/', false],
    ['https://b.example:4*', 'https://b.example:443/', false],
    ['https://b.example:4*', 'https://b.example:4000/', false],
    ['https://b.example:**', 'https://b.example:4000/', false],
    ['https://b.example/:*', 'https://b.example:4000/', false],
    ['https://b.example?:*', 'https://b.example:4000/', false],
    ['https://b.example\\:*', 'https://b.example:4000/', false],
    ['*', 'https://evil.example/', false],
    ['https://*', 'https://evil.example/', false],
    ['b.example', 'https://b.example/', false],
    ['', 'https://b.example/', false],
    ['localhost:3000', 'localhost:evil', false],
    ['localhost:3000', 'http://localhost:3000/', false],
    ['javascript:x', 'javascript:alert(1)', false],
    ['data:x', 'data:text/html,x', false],
    ['myapp://signed-in', 'myapp://signed-in/here', true],
    ['myapp://signed-in', 'myapp://other/', false],
  ])('%s: %s is trusted: %s', (domain, target, expected) => {
    expect(isTrustedTarget(navigation('https://app.example.com/', [domain]), target)).toBe(expected)
  })

  it('is one of several', () => {
    const here = navigation('https://app.example.com/', ['nonsense', 'https://a.example', 'https://b.example'])
    expect(isTrustedTarget(here, 'https://b.example/')).toBe(true)
    expect(isTrustedTarget(here, 'https://c.example/')).toBe(false)
  })
})

describe('over 100,000 hostile texts', () => {
  it('what is trusted leads to the own origin or a trusted domain, wherever it is followed', () => {
    let trusted = 0
    const lies: string[] = []
    const domains = ['https://b.example', 'https://*.b.example']
    const cases = pages.map(page => navigation(page, domains))
    let index = 0
    for (const text of hostileTexts(100_000)) {
      const here = cases[index++ % cases.length]!
      if (!isTrustedTarget(here, text)) continue
      trusted++
      // A server does not know how its answer is reached.
      const page = here.href()
      for (const base of page
        ? [page]
        : ['https://app.example.com/', 'http://app.example.com/', 'http://localhost:3000/']) {
        const url = destination(text, base)
        const isOwn = url?.origin === new URL(base).origin && url.protocol === new URL(base).protocol
        const isOnList = url?.protocol === 'https:' && url.port === '' && /^([^.]+\.)?b\.example$/.test(url.hostname)
        if (!(isOwn || isOnList) || url?.username || url?.password) lies.push(`${JSON.stringify(text)} on ${base}`)
      }
    }
    expect(lies).toEqual([])
    // A useful test needs both kinds in the mixture.
    expect(trusted).toBeGreaterThan(10_000)
  })

  it('no target that fast-check generates leads elsewhere either', () => {
    const here = navigation('https://app.example.com/a/')
    const text = fc.oneof(
      fc.webUrl(),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.array(fc.constantFrom(...hostilePieces), { maxLength: 7 }).map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(text, target => {
        const url = destination(target, 'https://app.example.com/a/')
        const expected = url?.protocol === 'https:' && url.host === 'app.example.com' && !url.username && !url.password
        return isTrustedTarget(here, target) === expected
      }),
      { numRuns: runs(5000, 200_000) },
    )
  })
})

describe('after a sign-in', () => {
  it.each([
    ['https://app.example.com/handler/sign-in', false, '/in'],
    ['https://app.example.com/handler/sign-in', true, '/up'],
    ['https://app.example.com/handler/sign-in?after_auth_return_to=%2Fdeep%3Fa%3D1%23b', false, '/deep?a=1#b'],
    ['https://app.example.com/handler/sign-in?after_auth_return_to=%2Fdeep', true, '/deep'],
    [
      'https://app.example.com/handler/sign-in?after_auth_return_to=https%3A%2F%2Fb.example%2Fx',
      false,
      'https://b.example/x',
    ],
    ['https://app.example.com/handler/sign-in?after_auth_return_to=https%3A%2F%2Fevil.example', false, '/in'],
    ['https://app.example.com/handler/sign-in?after_auth_return_to=%2F%5Cevil.example', false, '/in'],
    ['https://app.example.com/handler/sign-in?after_auth_return_to=javascript%3Aalert(1)', true, '/up'],
    ['https://app.example.com/handler/sign-in?after_auth_return_to=', false, '/in'],
    ['https://app.example.com/#/sign-in?after_auth_return_to=%2F%23%2Fdeep%3Fa', false, '/#/deep?a'],
    ['https://app.example.com/#/sign-in?after_auth_return_to=https%3A%2F%2Fevil.example', true, '/up'],
    ['https://app.example.com/#!/sign-in?after_auth_return_to=%2F%5Cevil.example', false, '/in'],
    [undefined, false, '/in'],
    [undefined, true, '/up'],
  ])('on %s (new user: %s) leads to %s', (page, isNewUser, target) => {
    const here = {
      ...navigation(page, ['https://b.example']),
      urls: { afterSignIn: '/in', afterSignUp: '/up' },
    }
    expect(afterAuth(here, isNewUser)).toBe(target)
  })

  it.each([
    [null, '/remembered', '/remembered'],
    ['/from-the-page', '/remembered', '/from-the-page'],
    ['https://evil.example', '/remembered', '/remembered'],
    [null, 'https://evil.example', '/'],
    [null, null, '/'],
  ])('with %s in the URL and %s remembered leads to %s', (inAddress, remembered, target) => {
    const query = inAddress === null ? '' : `?after_auth_return_to=${encodeURIComponent(inAddress)}`
    expect(afterAuth(navigation(`https://app.example.com/handler/mfa${query}`), false, remembered)).toBe(target)
  })
})

describe('the absolute address of a page', () => {
  it.each([
    [
      'https://app.example.com/a/b',
      '/handler/email-verification',
      'https://app.example.com/handler/email-verification',
    ],
    ['https://app.example.com/a/b#c', '/x#y', 'https://app.example.com/x'],
    ['https://app.example.com/#/a', '/#/mail', 'https://app.example.com/#/mail'],
    ['https://app.example.com/app#!/a', '/app#!/mail?x=1', 'https://app.example.com/app#!/mail?x=1'],
    [
      'https://app.example.com/#/in?after_auth_return_to=%2F%23%2Fd',
      '/#/mail',
      'https://app.example.com/#/mail?after_auth_return_to=%2F%23%2Fd',
    ],
    [
      'https://app.example.com/#/in?after_auth_return_to=%2Fd',
      '/mail',
      'https://app.example.com/mail?after_auth_return_to=%2Fd',
    ],
    [
      'https://app.example.com/a?after_auth_return_to=%2Fd',
      '/x?y=1',
      'https://app.example.com/x?y=1&after_auth_return_to=%2Fd',
    ],
    ['https://app.example.com/a?after_auth_return_to=%2F%2Fevil.example', '/x', 'https://app.example.com/x'],
    [
      'https://app.example.com/#/in?after_auth_return_to=https%3A%2F%2Fevil.example',
      '/#/x',
      'https://app.example.com/#/x',
    ],
    ['https://app.example.com/a', 'https://auth.example.com/x', 'https://auth.example.com/x'],
    [undefined, 'https://auth.example.com/x', 'https://auth.example.com/x'],
    [undefined, '/x', undefined],
    ['about:blank', '/x', undefined],
    ['https://app.example.com/a', 'https://', undefined],
  ])('on %s, of %s, is %s', (page, path, url) => {
    expect(absoluteUrl(navigation(page), path)).toBe(url)
  })
})

describe('the path below the base path of a router', () => {
  it.each([
    ['/docs', '/docs/account?tab=2#top', '/account?tab=2#top'],
    ['/docs', '/docs', '/'],
    ['/docs', '/docs/', '/'],
    ['/docs', '/docs?a//b', '/?a//b'],
    ['/docs', '/docs#//b', '/#//b'],
    ['/docs', '?tab=2', '/?tab=2'],
    ['/docs', '/a/../docs/account', '/account'],
    ['/docs', '/docs/docs//evil.example', '/docs//evil.example'],
    ['/docs', '/docs/a//b', '/a//b'],
    ['/docs', '/docs/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['/docs', '/docs/%5Cevil.example', '/%5Cevil.example'],
    ['/docs', '/docs/\uff0f\uff0fevil.example', '/%EF%BC%8F%EF%BC%8Fevil.example'],
    ['/docs', '/docs/@evil.example', '/@evil.example'],
    // Of no page below it: the router adds the base path all the same.
    ['/docs', '/docsearch', '/docsearch'],
    ['/docs', '/DOCS//evil.example', '/DOCS//evil.example'],
    ['/docs', '/d%6fcs//evil.example', '/d%6fcs//evil.example'],
    ['/a/b', '/a/b/c', '/c'],
    ['/a/b', '/a//b/c', '/a//b/c'],
    ['', '/account', '/account'],
    ['', '/a//b', '/a//b'],
  ])('%s, of %j, is %s', (base, address, path) => {
    expect(pathBelow(base, address)).toBe(path)
  })

  it.each(['/docs', '/a/b', '/x'].flatMap(base => hostsBelow(base).map(address => [base, address] as const)))(
    '%s, of %j, is none',
    (base, address) => {
      // The address itself is of this origin: it is judged by what is left of it.
      expect(isTrustedTarget(navigation('https://app.example.com/'), address)).toBe(true)
      expect(pathBelow(base, address)).toBeUndefined()
    },
  )

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/docs/..//evil.example',
    ' //evil.example',
    'https://evil.example/docs',
    'https:evil.example',
    'https://relative.invalid/docs/account',
    'javascript:alert(1)',
    'account',
    '../account',
    '',
  ])('is none of %j, whatever the base path', address => {
    expect(['', '/docs', '/evil.example'].map(base => pathBelow(base, address))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('never leads elsewhere, of 50,000 hostile texts, before the router has added the base path and afterwards', () => {
    const lies: string[] = []
    let paths = 0
    for (const text of hostileTexts(50_000)) {
      const base = ['', '/a', '/docs', '/evil.example'][paths % 4]!
      for (const address of [text, base + text, `${base}/${text}`]) {
        const path = pathBelow(base, address)
        if (path === undefined) continue
        paths++
        for (const place of [path, base + path, `.${path}`, pathBelow(base, path) ?? path]) {
          const { origin } = new URL(place, 'https://app.example.com/docs/sign-in')
          if (origin !== 'https://app.example.com') lies.push(`${JSON.stringify(address)} below ${base}`)
        }
      }
    }
    expect(lies).toEqual([])
    expect(paths).toBeGreaterThan(10_000)
  })
})

describe('the return address', () => {
  const app = 'https://app.example.com'

  it.each([
    [{ handler: '/#/auth' }, '/#/inbox?a=1', '/#/inbox?a=1'],
    [{ handler: '/#/auth' }, '/#/auth/sign-up?x=1', null],
    [{ handler: '/#/auth' }, '/#/auth/mfa/', null],
    [{ handler: '/#!/auth/' }, '/#!/auth/error', null],
    [{ signIn: '/?page=login' }, '/?page=inbox', '/?page=inbox'],
    [{ signIn: '/?page=login' }, '/?x=1&page=login', null],
    [{ signIn: '/login/' }, '/login', null],
    [{ signIn: '/login' }, '/login/#form', null],
    [{ signIn: (url: URL) => `${url.pathname.slice(0, 3)}/login` }, '/de/login', null],
    [{ signIn: (url: URL) => `${url.pathname.slice(0, 3)}/login` }, '/de/inbox', '/de/inbox'],
  ])('with %j on %s is %s', (urls, page, expected) => {
    const here = { ...navigation(app + page), urls }
    expect(presentPage(here, '/somewhere')).toBe(expected)
  })

  it.each([
    [`${app}/inbox?a=1#b`, '/handler/sign-in', '/inbox?a=1#b'],
    [`${app}/`, '/handler/sign-in', '/'],
    [`${app}/inbox`, 'https://auth.example.com/sign-in', null],
    [`${app}/handler/sign-in?x=1`, '/handler/sign-up', null],
    [`${app}/handler/mfa`, '/handler/sign-in', null],
    [`${app}/handler/account-settings`, '/handler/sign-in', '/handler/account-settings'],
    [undefined, '/handler/sign-in', null],
    ['about:blank', '/handler/sign-in', null],
    [`${app}/inbox`, 'https://', null],
    [`${app}//evil.example/x`, '/handler/sign-in', null],
    [`${app}/.//evil.example/x`, '/handler/sign-in', null],
  ])('on %s, for a redirect to %s, is %s', (page, target, expected) => {
    expect(presentPage(navigation(page), target)).toBe(expected)
  })

  it.each([
    [`${app}/inbox`, '/handler/sign-in', '/inbox?a=1', '/handler/sign-in?after_auth_return_to=%2Finbox%3Fa%3D1'],
    [`${app}/inbox`, '/in?x=1#y', '/', '/in?x=1&after_auth_return_to=%2F#y'],
    [`${app}/inbox`, `${app}/in`, '/', '/in?after_auth_return_to=%2F'],
    [`${app}/inbox`, 'https://auth.example.com/in', '/', 'https://auth.example.com/in?after_auth_return_to=%2F'],
    [`${app}/inbox`, '/in', null, '/in'],
    [`${app}/#/inbox`, '/#/in?x=1', '/#/inbox', '/#/in?x=1&after_auth_return_to=%2F%23%2Finbox'],
    [`${app}/inbox`, '/.//evil.example/in', '/a', '/.//evil.example/in?after_auth_return_to=%2Fa'],
    [undefined, '/.//evil.example/in', '/a', '/.//evil.example/in?after_auth_return_to=%2Fa'],
    [undefined, '/in', '/inbox', '/in?after_auth_return_to=%2Finbox'],
    ['about:blank', '/in', '/inbox', '/in'],
  ])('on %s goes to %s with %s as %s', (page, target, returnTo, expected) => {
    expect(withReturn(navigation(page), target, returnTo)).toBe(expected)
  })

  it.each([
    ['/inbox', '/inbox'],
    ['https://evil.example', null],
    ['//evil.example', null],
    ['', null],
  ])('given as "%s" in a URL is remembered as %s', (returnTo, expected) => {
    const page = `${app}/handler/sign-in?after_auth_return_to=${encodeURIComponent(returnTo)}`
    expect(rememberedReturn(navigation(page))).toBe(expected)
  })
})

describe.each([
  [
    'capacitor://localhost/index.html',
    'capacitor://localhost',
    ['//evil.example', 'capacitor://evil', 'capacitor://localhost:1/'],
  ],
  ['tauri://localhost/', 'tauri://localhost', ['//evil.example/x', 'tauri://evil/', 'tauri://localhost.evil/']],
  ['file:///app/index.html', 'file://', ['//evil.example/share', 'file://evil.example/share', '\\\\evil\\share']],
])('on a page whose origin is opaque: %s', (page, own, elsewhere) => {
  const here = navigation(page)

  it.each(['/', '/a?b=c#d', 'a/b', '../a', '?x=1', '#y', `${own}/a`])('what stays there is trusted: "%s"', target => {
    expect(isTrustedTarget(here, target)).toBe(true)
  })

  it.each([
    ...elsewhere,
    'https://evil.example/',
    'http://localhost/',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
  ])('what leaves its scheme or host is not: "%s"', target => {
    expect(isTrustedTarget(here, target)).toBe(false)
  })

  it('a trusted domain still is one', () => {
    expect(isTrustedTarget(navigation(page, ['https://app.example.com']), 'https://app.example.com/a')).toBe(true)
  })

  it('a sign-in elsewhere cannot come back to it, one on the page can', () => {
    expect(presentPage(here, '/handler/sign-in')).toBe(new URL(page).pathname)
    expect(presentPage(here, 'other://localhost/sign-in')).toBeNull()
    expect(withReturn(here, '/sign-in', '/a')).toBe('/sign-in?after_auth_return_to=%2Fa')
    expect(withReturn(here, 'other://localhost/sign-in', '/a')).toBe(
      'other://localhost/sign-in?after_auth_return_to=%2Fa',
    )
  })
})
