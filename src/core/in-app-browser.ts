import { orUndefined } from './values'

/** Marks that apps add to the user agent of the browser inside them. */
const marks: readonly (readonly [app: string, mark: RegExp])[] = [
  ['Instagram', /\bInstagram\b/],
  ['Threads', /\bBarcelona\b/],
  ['Facebook', /\bFB(AN|AV|_IAB|IOS)\b/],
  ['LINE', /\bLine\//],
  ['WeChat', /\bMicroMessenger\b/],
  ['TikTok', /\b(musical_ly|BytedanceWebview|ByteLocale|trill|TikTok)/],
  ['Snapchat', /\bSnapchat\b/],
  ['LinkedIn', /\bLinkedInApp\b/],
  ['X', /\bTwitter for i|\bTwitterAndroid\b/],
  ['Pinterest', /\bPinterest\/(iOS|Android)/],
  ['KakaoTalk', /\bKAKAOTALK\b/],
  ['NAVER', /\bNAVER\(inapp/],
  ['Telegram', /\bTelegram-(Android|iOS)\b/],
  ['Reddit', /\bReddit\//],
  ['Weibo', /\bWeibo\b/],
  ['QQ', / QQ\//],
  ['Alipay', /\bAlipayClient\b/],
  ['Google', /\bGSA\//],
  // A web view of any other app: Android names it, and those of Apple leave out the name of a browser.
  [
    'app',
    /; wv\)|Android.* Version\/[\d.]+ Chrome\/|(iPhone|iPad|iPod|Macintosh)(?!.*(Safari|Chrome|Firefox)\/).*AppleWebKit/,
  ],
]

/** The app whose browser this user agent is of, 'app' for an unknown one; undefined: an ordinary browser. */
export function inAppBrowser(userAgent: string): string | undefined {
  return marks.find(([, mark]) => mark.test(userAgent))?.[0]
}

interface Policy {
  allowsFeature?(feature: string): unknown
}

/** False in a frame without the permission to sign in by passkey, where the browser can be asked for it. */
export function mayUsePasskeys(): boolean {
  const { document } = globalThis as {
    readonly document?: { readonly permissionsPolicy?: Policy; readonly featurePolicy?: Policy }
  }
  return [document?.permissionsPolicy, document?.featurePolicy].every(
    policy => orUndefined(() => policy?.allowsFeature?.('publickey-credentials-get')) !== false,
  )
}

interface Capable {
  getClientCapabilities?(): Promise<Readonly<Record<string, boolean>>>
}

/** Whether the browser offers saved passkeys and passwords in one dialog: Chrome from 149 on. */
export async function offersSaved(): Promise<boolean> {
  try {
    const { PublicKeyCredential: browser } = globalThis as { readonly PublicKeyCredential?: Capable }
    return mayUsePasskeys() && (await browser?.getClientCapabilities?.())?.['immediateGet'] === true
  } catch {
    return false
  }
}
