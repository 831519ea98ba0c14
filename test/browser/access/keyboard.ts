import type { Locator, Page } from 'playwright-core'
import type { Hands } from './visitor'

/** Everything by Tab, Enter, Space, the arrows and Escape; each stop on the way is checked. */
export function byKeyboard(page: Page): Hands {
  const { keyboard } = page

  /** Moves the focus with Tab, or back with Shift+Tab, until it is there. */
  async function reach(control: Locator): Promise<void> {
    await control.waitFor()
    const isItem = (await control.getAttribute('role')) === 'menuitem'
    const key = isItem ? 'ArrowUp' : await control.evaluate(isBefore)
    for (let presses = 0; !(await control.evaluate(each => each === document.activeElement)); presses++) {
      if (presses > 60) throw new Error(`the focus does not come to ${String(control)}`)
      const next = key === 'ArrowUp' ? undefined : await page.evaluate(nextStop, key)
      await keyboard.press(key)
      const { name, faults } = await page.evaluate(stop)
      expect({ name, faults }).toEqual({ name: next ?? name, faults: [] })
    }
  }

  /** Tab leads to the chosen one of a group, the arrows to the others. */
  async function choose(radio: Locator): Promise<void> {
    await reach(page.locator('input[type=radio]:checked'))
    while (!(await radio.isChecked())) await keyboard.press('ArrowDown')
  }

  return {
    async press(control) {
      if ((await control.getAttribute('type')) === 'radio') return choose(control)
      await reach(control)
      await keyboard.press('Enter')
    },
    async fill(field, text) {
      await reach(field)
      await keyboard.press('Control+A')
      await keyboard.type(text)
    },
    async code(first, text) {
      await reach(first)
      await keyboard.type(text)
    },
    async open(button) {
      await reach(button)
      await keyboard.press('Enter')
      await page.locator(':is([role=menuitem], dialog button):focus').waitFor()
      await keyboard.press('Escape')
      await page.locator(':is([role=menuitem], dialog button):focus').waitFor({ state: 'detached' })
      expect(await button.evaluate(each => each === document.activeElement)).toBe(true)
      await keyboard.press('Space')
      await page.locator(':is([role=menuitem], dialog button):focus').waitFor()
    },
  }
}

/** Goes through the whole page by Tab, and back to where the focus was: in the order of the page, without a trap. */
export async function walkFaults(page: Page): Promise<string[]> {
  const from = await page.evaluateHandle(() => document.activeElement as HTMLElement)
  const count = await page.evaluate(() => document.querySelectorAll('a, button, input').length)
  const faults: string[] = []
  const items = page.getByRole('menu').getByRole('menuitem')
  const names = await items.allTextContents()
  // The keys of a menu are the arrows: Tab leaves it.
  if (names.length > 0) {
    const stops: string[] = []
    while (stops.length < names.length) {
      await page.keyboard.press('ArrowDown')
      const { name, faults: found } = await page.evaluate(stop)
      stops.push(name)
      faults.push(...found)
    }
    const expected = [...names.slice(1), names[0]!]
    return String(stops) === String(expected) ? faults : [...faults, `ArrowDown leads to ${String(stops)}`]
  }
  for (let presses = 0; presses <= count; presses++) {
    const expected = await page.evaluate(nextStop, 'Tab' as const)
    if (expected === undefined) break
    await page.keyboard.press('Tab')
    const { name, faults: found } = await page.evaluate(stop)
    if (name !== expected) faults.push(`Tab leads to ${name}, not to ${expected}`)
    faults.push(...found)
  }
  if (await page.evaluate(nextStop, 'Tab' as const)) faults.push('Tab does not come to the end')
  await from.evaluate(each => each.focus())
  return faults
}

function isBefore(control: Element): 'Tab' | 'Shift+Tab' {
  const { activeElement } = document
  const place = activeElement === null ? 0 : activeElement.compareDocumentPosition(control)
  return place & Node.DOCUMENT_POSITION_PRECEDING ? 'Shift+Tab' : 'Tab'
}

/** The name of the control that comes next in the order of the page; undefined at its end. */
function nextStop(key: 'Tab' | 'Shift+Tab'): string | undefined {
  const within = document.querySelector('dialog[open]') ?? document
  const all = [...within.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')].filter(
    each =>
      each.checkVisibility() &&
      !each.matches(':disabled, [tabindex="-1"], [type=hidden], [type=radio]:not(:checked)') &&
      each.tabIndex >= 0,
  )
  const { activeElement } = document
  const [after, before] = [Node.DOCUMENT_POSITION_FOLLOWING, Node.DOCUMENT_POSITION_PRECEDING]
  const wanted = key === 'Tab' ? after : before
  const rest = all.filter(each => activeElement && activeElement.compareDocumentPosition(each) & wanted)
  const next = key === 'Tab' ? rest[0] : rest.at(-1)
  return next && (next.getAttribute('aria-label') ?? (next.textContent || next.id))
}

/** Where the focus is, and whether it is seen there. */
function stop(): { readonly name: string; readonly faults: string[] } {
  const element = document.activeElement ?? document.body
  const name = element.getAttribute('aria-label') ?? (element.textContent || element.id)
  const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element)
  const hasOutline = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && !/^rgba.*, 0\)$/.test(outlineColor)
  const isSeen = element.matches(':focus-visible') && (hasOutline || boxShadow !== 'none')
  if (element === document.body) return { name, faults: ['the focus is lost'] }
  return { name, faults: isSeen ? [] : [`the focus is not seen at ${name}`] }
}
