import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { forcedColorFaults, hiddenFocusFaults, layoutFaults, mirrorFaults, targetFaults } from './in-page'
import { walkFaults } from './keyboard'
import { treeFaults } from './tree'

/** A way in which people use a page. */
export interface Way {
  readonly name: string
  /** What is checked at each step, for the page of the docs. */
  readonly checks: string
  readonly options?: BrowserContextOptions
  readonly prepare?: (context: BrowserContext) => Promise<unknown>
  readonly isByKeyboard?: boolean
  readonly isPasting?: boolean
  readonly faults: (page: Page) => Promise<string[]>
}

const faultsOfLayout = (page: Page) => page.evaluate(layoutFaults)

export const ways: readonly Way[] = [
  {
    name: 'keyboard',
    checks:
      'Tab, Shift+Tab, Enter, Space, arrows and Escape only. Tab goes through every page in the order of its elements, without a trap; the focus is visible at each stop and never lost; Escape closes menus and dialogs and gives the focus back',
    isByKeyboard: true,
    faults: walkFaults,
  },
  {
    name: 'tree of a screen reader',
    checks:
      'The accessibility tree has one heading of level 1, landmarks and a name for each control; each field has a label, its purpose (`autocomplete`) and its error as description; the page has a title and a language. Every text is pasted',
    isPasting: true,
    faults: treeFaults,
  },
  {
    name: '400 % zoom',
    checks:
      'A window of 1280 × 1024 at 400 %, so 320 × 256 CSS pixels: nothing scrolls sideways, is cut off or overlaps, and a control with the focus is never behind the bar',
    options: { viewport: { width: 320, height: 256 }, screen: { width: 320, height: 256 }, deviceScaleFactor: 4 },
    faults: async page => [...(await faultsOfLayout(page)), ...(await page.evaluate(hiddenFocusFaults))],
  },
  {
    name: 'forced colours',
    checks:
      'By keyboard, with the colours of the system: edges of fields, buttons, cards and messages are drawn, icons too, the focus is visible at each stop, and a disabled button looks different',
    options: { forcedColors: 'active' },
    isByKeyboard: true,
    faults: page => page.evaluate(forcedColorFaults),
  },
  {
    name: 'right to left',
    checks:
      'The document runs from right to left: rows are mirrored, nothing scrolls sideways, is cut off or overlaps; addresses, passwords and codes are still typed from left to right',
    prepare: context =>
      context.addInitScript(() => {
        const turn = () => {
          if (document.documentElement) document.documentElement.dir = 'rtl'
          else setTimeout(turn)
        }
        turn()
      }),
    faults: async page => [...(await faultsOfLayout(page)), ...(await page.evaluate(mirrorFaults))],
  },
  {
    name: '320 px',
    checks:
      'A window of 320 × 640: nothing scrolls sideways, is cut off or overlaps, and each target has 24 × 24 CSS pixels, or the room that WCAG 2.5.8 asks for instead. With the spacing of text of WCAG 1.4.12 nothing scrolls sideways, is cut off or overlaps, either',
    options: { viewport: { width: 320, height: 640 } },
    faults: async page => {
      const faults = [...(await faultsOfLayout(page)), ...(await page.evaluate(targetFaults))]
      // As WCAG 1.4.12 says.
      const style = await page.addStyleTag({
        content:
          '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
      })
      faults.push(...(await faultsOfLayout(page)))
      await style.evaluate(each => (each as HTMLStyleElement).remove())
      return faults
    },
  },
]
