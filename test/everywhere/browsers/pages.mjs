import { setTimeout } from 'node:timers/promises'

/** Longer than a page needs, shorter than the patience with this program. */
const patienceMillis = 30_000

let lastShown = 'nothing'

/** The last step that the pages have shown. */
export const last = () => lastShown

/** Resolves once the expression is true in the page. Firefox shows one tab at a time, and a hidden page looks for no change of cookies. */
export async function until(tab, what, expression) {
  await tab.show()
  const end = Date.now() + patienceMillis
  // A page that is left while it is asked has no answer.
  while (!(await tab.evaluate(`Boolean(${expression})`).catch(() => false))) {
    if (Date.now() > end)
      throw new Error(`${what}: ${await tab.evaluate('`${location} shows "${document.body.innerText}"`')}`)
    await setTimeout(50)
  }
  lastShown = what
}

/** The value in an expression. */
export const text = value => JSON.stringify(value)

/** The button, or the link, of this name, before which the letters of a picture may stand. */
export const button = name => `[...document.querySelectorAll('button, a')].find(
  each => (each.ariaLabel ?? each.textContent).trim().endsWith(${text(name)}) && each.checkVisibility())`

export async function press(tab, name) {
  await until(tab, `a button "${name}"`, button(name))
  await tab.click(button(name))
}

/** Types into the field of this label. */
export async function fill(tab, label, value) {
  const element = `[...document.querySelectorAll('input')].find(
    each => [...each.labels].some(label => label.textContent.trim() === ${text(label)}))`
  await until(tab, `a field "${label}"`, element)
  await tab.type(element, value)
}

/** The program of smoke.ts in a worker; its page is the other tab. */
export async function runProgram({ open }, { address }) {
  const tab = await open(`${address}/page`)
  return tab.evaluate('result')
}
