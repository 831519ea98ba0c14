import { createPlatform as create } from 'rxauth/platform'
import type { Mail, Platform, PlatformOptions } from 'rxauth/platform'
import { isAuthError } from 'rxauth'
import { everythingOn, readyMade } from '../../../src/platform/node/ready-made'
import { describe, format } from './inspect'

export * from 'rxauth/platform'

/** What the page shows of a program. */
export type Report =
  | { readonly type: 'printed'; readonly text: string }
  | { readonly type: 'failed'; readonly text: string; readonly code: string | null }
  | { readonly type: 'mail'; readonly mail: Pick<Mail, 'code' | 'links' | 'subject' | 'text' | 'to'> }
  /** A frame shows its app, or a worker has reached the end of its program. */
  | { readonly type: 'done' }

export const address = 'http://localhost:8102'

/** From a worker to its page, or from a frame. */
export function report(message: Report): void {
  if ('document' in globalThis) window.parent.postMessage(message, location.origin)
  else postMessage(message)
}

/** For programs: the mails of the platform show in the page. */
export function createPlatform(options?: PlatformOptions): Platform {
  const platform = create(options)
  platform.mail$.subscribe(({ code, links, subject, text, to }) =>
    report({ type: 'mail', mail: { code, links, subject, text, to } }),
  )
  return platform
}

/** The platform of `rxauth dev` at its address, and the errors that the program does not catch. */
export function openStage(): void {
  let platform: Platform | undefined
  const start = () => createPlatform({ seed: { ...readyMade, project: { config: everythingOn('local') } } })
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.startsWith(address)) return (platform ??= start()).options.fetch(input, init)
    throw new TypeError(`a program of this page reaches only the platform, not ${url}`)
  }
  addEventListener('error', event => {
    event.preventDefault()
    fail(event.error ?? event.message)
  })
  addEventListener('unhandledrejection', event => {
    event.preventDefault()
    fail(event.reason)
  })
}

export function fail(error: unknown): void {
  report({
    type: 'failed',
    text: error instanceof Error ? describe(error) : format('Uncaught', error),
    code: isAuthError(error) ? error.code : null,
  })
}
