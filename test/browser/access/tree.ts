import type { Page } from 'playwright-core'

/** What a screen reader would miss in the accessibility tree: names, landmarks, descriptions, what a field is for. */
export async function treeFaults(page: Page): Promise<string[]> {
  const lines = (await page.locator('body').ariaSnapshot()).split('\n').map(line => line.replace(/^\s*- /, ''))
  const faults: string[] = []
  const headings = lines.filter(line => /^heading .*\[level=1\]/.test(line))
  if (headings.length !== 1) faults.push(`${headings.length} headings of level 1`)
  const [, heading = ''] = /^heading "(.*)"/.exec(headings[0] ?? '') ?? []
  if (!(await page.title()).startsWith(heading)) faults.push(`the title is ${await page.title()}, not ${heading}`)
  const landmarks = (name: string) => lines.filter(line => line.split(/\W/, 1)[0] === name).length
  if (landmarks('main') !== 1) faults.push(`${landmarks('main')} landmarks "main"`)
  // The bar and the foot are the app's, which may have neither.
  for (const name of ['banner', 'contentinfo']) if (landmarks(name) > 1) faults.push(`more than one landmark "${name}"`)
  const controls = /^(button|link|textbox|checkbox|radio|combobox|menu|menuitem|dialog|img|group|form)\b(?! ")/
  faults.push(...lines.filter(line => controls.test(line)).map(line => `no name: ${line}`))
  return [...faults, ...(await page.evaluate(fieldFaults))]
}

/** Runs in the page. */
function fieldFaults(): string[] {
  const faults: string[] = []
  if (!/^[a-z]{2}/.test(document.documentElement.lang)) faults.push('the page has no language')
  const purposes = /\b(username|email|current-password|new-password|one-time-code|off)\b/
  for (const field of document.querySelectorAll('input')) {
    if (!field.checkVisibility() || /^(checkbox|radio|file)$/.test(field.type)) continue
    const name = field.getAttribute('aria-label') ?? [...(field.labels ?? [])].map(each => each.textContent).join(' ')
    if (name.trim() === '') faults.push(`no label: ${field.outerHTML}`)
    if (!field.readOnly && !purposes.test(field.autocomplete)) faults.push(`no purpose: ${field.outerHTML}`)
    const group = field.closest('[role=group]')
    const described = [field, group].map(each => each?.getAttribute('aria-describedby') ?? '')
    const ids = described.join(' ').split(/\s+/).filter(Boolean)
    const texts = ids.map(id => document.getElementById(id)?.textContent)
    if (texts.some(text => !text)) faults.push(`described by nothing: ${field.outerHTML}`)
    const error = field.closest('.auth-field, .auth-stack')?.querySelector('.field-error')?.textContent
    if (field.getAttribute('aria-invalid') === 'true' && !texts.includes(error))
      faults.push(`not described by its error: ${field.outerHTML}`)
  }
  const boxes = document.querySelectorAll('.code-boxes')
  for (const each of boxes) {
    const [first] = each.querySelectorAll('input')
    if (first?.autocomplete !== 'one-time-code') faults.push('the code is not a one-time-code')
  }
  return faults
}
