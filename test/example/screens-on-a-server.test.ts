import { createElement, type ComponentType, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { createClientApp, memoryTokens } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { AuthProvider } from 'rxauth/react'
import { AuthFrame } from '../../react/example/shell/auth-frame'
import { InvitationsLink } from '../../react/example/shell/invitations-link'
import { Screen } from '../../react/example/shell/screen'
import { UserMenu } from '../../react/example/shell/user-menu'
import { signInPages } from '../../react/example/sign-in/pages'
import { Toasts } from '../../react/example/ui/toasts'
import { de } from '../../react/example/words/de'
import { WordsProvider } from '../../react/example/words/use-words'

// It is published as ES modules only. There is no address on a server: a page that asks for its code fails.
jest.mock('wouter', () => ({ Link: 'a', useLocation: () => ['/handler/sign-in', () => undefined] }))

const { projectId, publishableClientKey, fetch } = createPlatform().options

function onServer(screen: ReactNode): string {
  const app = createClientApp({ projectId, publishableClientKey, fetch, tokens: memoryTokens() })
  const inGerman = createElement(WordsProvider, { value: de }, screen)
  const html = renderToString(createElement(AuthProvider, { app, children: inGerman }))
  app.dispose()
  return html
}

describe('on a server, where there is no window,', () => {
  it.each(Object.entries(signInPages))('the page %s is its outline', (_name, Page: ComponentType) => {
    const html = onServer(createElement(Screen, { children: createElement(Page) }))
    expect(html).toContain('<h1 class="for-readers">Einen Moment …</h1>')
  })

  it('what stands in the pages of an app suspends none of them', () => {
    expect(onServer(createElement(UserMenu))).toMatch(/<a [^>]*href="\/handler\/sign-in"[^>]*><span>Anmelden</)
    expect(onServer(createElement(InvitationsLink))).toBe('')
    expect(onServer(createElement(Toasts))).toMatch(/^<div class="auth contents"><div class="toasts">/)
  })

  it('the frame of the sign-in pages has the language of its texts', () => {
    expect(onServer(createElement(AuthFrame, { title: de.signIn.title }))).toMatch(/<h1[^>]*>Anmelden<\/h1>/)
  })
})
