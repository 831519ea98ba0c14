import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, webpackBundle } from './bundle'
import { root } from './sources'

/** Keeps all methods of a client. */
const methods = `import { createClientApp, cookieTokens } from 'rxauth'\nglobalThis.used = [createClientApp, cookieTokens]\n`

/** Every text that only development and Node have, up to its first value. */
function developersTexts(): string[] {
  const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.js'),
  )
  return files.flatMap(file =>
    [...readFileSync(join(root, 'dist', file), 'utf8').matchAll(/\b(?:__)?DEV \? (["'`])(.*?)(?:\1|\$\{)/g)]
      .map(([, , text]) => text!)
      .filter(text => text.length > 20),
  )
}

describe('the messages of the published package', () => {
  // Promise: messages-for-developers
  it('leave none of their long texts in an app for production', async () => {
    const texts = developersTexts()
    expect(texts.length).toBeGreaterThan(50)
    const whole = `import * as rxauth from 'rxauth'\nglobalThis.used = rxauth\n`
    const { code } = await bundle(whole, { minify: true, external: ['@simplewebauthn/browser'] })
    expect(texts.filter(text => code.includes(text))).toEqual([])
    // In functions, which esbuild drops only as branches of an expression.
    for (const text of ['npx rxauth dev', 'turns it on', 'is not an option', 'is missing for', 'device is offline'])
      expect(code).not.toContain(text)
  })

  // Promise: messages-for-developers
  it.each([
    ['esbuild', async () => (await bundle(methods, { minify: true, external: [] })).code],
    ['webpack', () => webpackBundle(methods, [])],
  ])('have in what %s makes for production the texts for users, and none for developers', async (_, make) => {
    const code = await make()
    for (const text of [
      'the caller aborted the call',
      'exactly one of',
      'nothing was sent for it',
      'is a secret key, which a client would make public',
      'returns neither a text nor undefined',
      'has been refreshing this session',
      'is not whole JSON',
    ])
      expect(code).not.toContain(text)
    for (const text of ['open the link of the mail again', 'is a secret key', 'sign in again', 'no user is signed in'])
      expect(code).toContain(text)
  })
})
