import { createKit, memoryTokens, type ClientOptions, type Kit } from 'rxauth'
import { finishOAuth } from '../../../src/sign-in/oauth/finish'
import { startOAuth } from '../../../src/sign-in/oauth/start'
import { destination, hostileTexts } from '../../navigation/hostile-texts'
import { virtualWeb } from '../../oauth-web'
import { leavePages } from '../../page'
import { runs } from '../../runs'
import { accessTokenText } from '../../session/access-token-text'

const page = 'https://app.example.com/handler/oauth-callback'
const trustedDomains = ['https://b.example', 'https://*.b.example']
const pending = {
  verifier: 'v'.repeat(43),
  redirectUri: page,
  returnTo: null,
  linkUserId: null,
  isPopup: false,
}

afterEach(leavePages)

/** Whether a browser on the page would stay on the app's origin and its trusted domains. */
function isHarmless(target: string): boolean {
  const url = destination(target, page)
  if (!url || url.username || url.password || url.protocol !== 'https:') return false
  return url.host === 'app.example.com' || /^([^.]+\.)?b\.example$/.test(url.host)
}

/** A kit on that page, whose platform answers every code with the result of `answer`. */
async function kitOn(href: string, answer: () => string | null): Promise<Kit> {
  const web = virtualWeb()
  const fetch = async () =>
    Response.json({
      access_token: accessTokenText(),
      refresh_token: 'refresh',
      is_new_user: false,
      after_callback_redirect_url: answer(),
    })
  const options: ClientOptions = {
    ...web.platform.options,
    fetch,
    tokens: memoryTokens(),
    trustedDomains,
    urls: { afterSignIn: '/in' },
    host: { cookies: { get: () => '', set: () => undefined } },
  }
  const tab = web.open(href)
  const kit = createKit(options)
  tab.focus()
  return kit
}

/** Through the whole exchange; test/navigation/targets.test.ts has 100,000 judged by the function alone. */
const whole = runs(500, 8_000)

describe('where a sign-in at a provider leads', () => {
  it('is never away, whatever of many texts the platform answers as the page to go to', async () => {
    let target = ''
    let followed = 0
    const lies: string[] = []
    const kit = await kitOn(page, () => target)
    for (target of hostileTexts(whole)) {
      const result = await finishOAuth(kit, pending, { code: 'c' })
      const next = result.ok ? result.value.next : ''
      if (next !== '/in') followed++
      if (next !== '/in' && (next !== target || !isHarmless(next))) lies.push(target)
    }
    expect(lies).toEqual([])
    expect(followed).toBeGreaterThan(whole / 8)
  })

  it('is never away, whatever of many texts the cookie or the address remembers', async () => {
    const lies: string[] = []
    let followed = 0
    let index = 0
    const web = virtualWeb()
    const tab = web.open(page)
    const kit = await kitOn(page, () => null)
    tab.focus()
    for (const returnTo of hostileTexts(whole)) {
      const isInAddress = index++ % 2 === 0
      tab.href = isInAddress ? `${page}?after_auth_return_to=${encodeURIComponent(returnTo)}` : page
      const result = await finishOAuth(kit, isInAddress ? pending : { ...pending, returnTo }, { code: 'c' })
      const next = result.ok ? result.value.next : ''
      if (next !== '/in') followed++
      if (next !== '/in' && (next !== returnTo || !isHarmless(next))) lies.push(returnTo)
    }
    expect(lies).toEqual([])
    expect(followed).toBeGreaterThan(whole / 8)
  })

  it('is refused before it begins, or harmless, for each of many texts that a caller may give', async () => {
    const kit = await kitOn(page, () => null)
    const lies: string[] = []
    let taken = 0
    const texts = runs(5_000, 100_000)
    for (const returnTo of hostileTexts(texts)) {
      let isTaken = true
      try {
        startOAuth(kit, { provider: 'github' }, { isLink: false, isPopup: false, returnTo })
      } catch {
        isTaken = false
      }
      if (isTaken) taken++
      if (isTaken !== isHarmless(returnTo)) lies.push(returnTo)
    }
    expect(lies).toEqual([])
    expect(taken).toBeGreaterThan(texts / 10)
  })
})
