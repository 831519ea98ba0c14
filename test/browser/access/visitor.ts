import type { BrowserContext, Locator, Page } from 'playwright-core'
import type { Running } from '../example'
import { picture, violations } from '../person'
import { announcementsOf } from './announcements'
import { byKeyboard } from './keyboard'
import { byPointer } from './pointer'
import type { Way } from './ways'

/** How a visitor operates the page. */
export interface Hands {
  press(control: Locator): Promise<void>
  /** Replaces what the field contains. */
  fill(field: Locator, text: string): Promise<void>
  code(first: Locator, text: string): Promise<void>
  /** Opens the menu of a button, without choosing anything. */
  open(button: Locator): Promise<void>
}

/** A user who comes to the screens in one way of access. */
export interface Visitor extends Hands {
  readonly page: Page
  readonly running: Running
  go(path: string): Promise<void>
  /** Checks the page as it is, by all that the way asks for, and by axe. */
  look(name: string): Promise<void>
  /** Does it twice, as the same mistake can be made again, and checks that each time the text is announced once. */
  refused(text: string, act: () => Promise<void>, times?: number): Promise<void>
}

/** Opens a tab for it; the rest of the browser's context is the caller's. */
export async function visitor(context: BrowserContext, running: Running, way: Way): Promise<Visitor> {
  const said = await announcementsOf(context)
  await way.prepare?.(context)
  const page = await context.newPage()
  const hands = way.isByKeyboard ? byKeyboard(page) : byPointer(page, way)

  async function look(name: string): Promise<void> {
    const axe = await violations(page)
    const isLost = await page.evaluate(() => document.activeElement === document.body)
    const faults = [...(isLost ? ['the focus is lost'] : []), ...(await way.faults(page))]
    expect({ name, axe, faults }).toEqual({ name, axe: [], faults: [] })
    await picture(page, `${way.name}-${name}`)
  }

  return {
    ...hands,
    page,
    running,
    look,
    async go(path) {
      await page.goto(new URL(path, running.address).href)
    },
    async refused(text, act, times = 2) {
      for (let time = 0; time < times; time++) {
        said.length = 0
        await act()
        const shown = page.getByText(text)
        await shown.waitFor()
        // What an answer still changes comes before the next frames.
        await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        expect({ time, said: said.filter(each => each.text.includes(text)) }).toEqual({
          time,
          said: [{ how: expect.any(String), text }],
        })
      }
      await look(text)
    },
  }
}
