import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import manifest from '../../package.json'
import { NotHere } from '../everywhere/fetched'
import { places, type Place } from '../everywhere/places'
import { ada } from '../everywhere/smoke'
import { runAt } from '../everywhere/web'
import { openChromium } from './shared'

/*
 * One program in every place that docs/compatibility.md names. `npm run nightly -- everywhere` has all of them, and with
 * `RXAUTH_WRITE=1` it writes the table; other runs have those that need nothing but what is installed.
 */

const isEverywhere = Boolean(process.env['RXAUTH_EVERYWHERE'])
const isWriting = isEverywhere && Boolean(process.env['RXAUTH_WRITE'])
const page = join(__dirname, '../../docs/compatibility.md')
const written = /^Tried on .*\n\n(?:\|.*\n)+/m

interface Row {
  readonly name: string
  readonly version: string
  readonly result: string
}

/** The rows of the page. */
const rows: readonly Row[] = [...(written.exec(readFileSync(page, 'utf8'))?.[0] ?? '').matchAll(/^\| (.*) \|$/gm)]
  .slice(2)
  .map(([, cells]) => {
    const [name = '', version = '', result = ''] = cells!.split(' | ').map(cell => cell.trim())
    return { name, version, result }
  })

let browser: Browser
beforeAll(async () => {
  browser = await openChromium()
})
afterAll(() => browser.close())

/** `runs`, or why it does not. */
async function outcome({ ready }: Place): Promise<Omit<Row, 'name'>> {
  const { version, run } = await ready(browser)
  const platform = createPlatform({
    seed: { users: [ada], teams: [{ displayName: 'Ops', members: [{ email: ada.email }] }] },
  })
  const { url, close } = await listen(platform, { port: 0 })
  const { projectId, publishableClientKey } = platform.options
  try {
    await run({ projectId, publishableClientKey, baseUrl: url }, platform)
    return { version, result: 'runs' }
  } catch (error) {
    // A place that this machine cannot try has no row.
    if (error instanceof NotHere) throw error
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    // `|`, `<` and `{{` would mean something in the table.
    return { version, result: `does not run: ${line.replace(/[|<{]/g, sign => `&#${sign.charCodeAt(0)};`)}` }
  } finally {
    await close()
    platform.dispose()
  }
}

describe('one program signs in, changes the user, derives a store and signs out', () => {
  const found = new Map<string, Row>()

  // Promise: runs-everywhere
  it.each(places.filter(({ isCheap }) => isEverywhere || isCheap))(
    'in $name',
    async place => {
      const row = { name: place.name, ...(await outcome(place)) }
      found.set(place.name, row)
      if (!isWriting) expect(row.result).toBe(rows.find(({ name }) => name === place.name)?.result)
    },
    1_800_000,
  )

  it('in the places of docs/compatibility.md: RXAUTH_WRITE=1 npm run nightly -- everywhere', () => {
    const names = places.map(({ name }) => name)
    // A place that could not be fetched, or was filtered out, has no row, and would be lost.
    expect(isWriting ? [...found.keys()] : rows.map(({ name }) => name)).toEqual(names)
    if (isWriting) writeTable([...found.values()])
  })
})

it('an error of a page is the reason, not the result that it did not get to', async () => {
  const page = await browser.newPage()
  const running = runAt(page, 'data:text/html,<script>notThere()</script>')
  await expect(running).rejects.toThrow('ReferenceError: notThere is not defined')
  await page.close()
})

function writeTable(found: readonly Row[]): void {
  const cells = [['Place', 'Version', 'Result'], ...found.map(({ name, version, result }) => [name, version, result])]
  const widths = [0, 1, 2].map(at => Math.max(...cells.map(row => row[at]!.length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |\n`
  const [head, ...body] = cells
  const table = line(head!) + line(widths.map(width => '-'.repeat(width))) + body.map(line).join('')
  const day = new Date().toISOString().slice(0, 10)
  const text = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    text.replace(written, () => `Tried on ${day} with rxauth ${manifest.version}:\n\n${table}`),
  )
}
