import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as client from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createPlatform } from 'rxauth/platform'
import * as server from 'rxauth/server'
import * as react from '../../react'
import { root } from './blocks'

const folder = join(root, 'docs/coming-from')
const pages = readdirSync(folder)

/** What a page says in its tables' last columns, where rxauth stands. */
function rightColumns(page: string): string[] {
  return [...readFileSync(join(folder, page), 'utf8').matchAll(/^\|.*\| +([^|\n]+?) +\|$/gm)]
    .map(([, text = '']) => text.trim())
    .filter(text => !/^(-+|rxauth)$/.test(text))
}

describe('the pages for people who come from another kit', () => {
  const platform = createPlatform()
  const apps: Readonly<Record<string, object>> = {
    app: { ...client.createClientApp({ ...platform.options, tokens: client.memoryTokens() }), ...adminApp() },
    server: server.createServerApp(platform.serverOptions),
    admin: adminApp(),
  }
  function adminApp() {
    return createAdminApp(platform.adminOptions)
  }

  it.each(pages)('%s names members that apps have', page => {
    const named = rightColumns(page).flatMap(text => [...text.matchAll(/\b(app|server|admin)\.(\w+\$?)(?![\w…])/g)])
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter(([, app = '', name = '']) => !(name in apps[app]!)).map(([text]) => text)).toEqual([])
  })

  it.each(pages)('%s calls functions that are exported', page => {
    const called = rightColumns(page).flatMap(text => [...text.matchAll(/(?<![.\w`])`?(\w+\$?)\(/g)])
    const exported = { ...client, ...server, ...react, createAdminApp, createPlatform }
    const elsewhere = [...Object.values(apps).flatMap(app => Object.keys(app)), 'verify']
    const unknown = called.map(([, name = '']) => name).filter(name => !(name in exported) && !elsewhere.includes(name))
    expect(called.length).toBeGreaterThan(5)
    expect(unknown).toEqual([])
  })
})
