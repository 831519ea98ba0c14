import type { Locator, Page } from 'playwright-core'
import type { Hands } from './visitor'
import type { Way } from './ways'

/** Clicks, and types or pastes. */
export function byPointer(page: Page, { isPasting }: Pick<Way, 'isPasting'>): Hands {
  const paste = async (field: Locator, text: string): Promise<boolean> =>
    field.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', pasted)
      return element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  return {
    press: control => control.click(),
    open: control => control.click(),
    async fill(field, text) {
      // The browser pastes only where the event is real: here the page must leave it to the browser.
      if (isPasting) expect(await paste(field, text)).toBe(true)
      await field.fill(text)
    },
    async code(first, text) {
      await first.click()
      // The boxes spread a pasted code themselves.
      if (isPasting) expect(await paste(first, text)).toBe(false)
      else await page.keyboard.type(text)
    },
  }
}
