import type { BrowserContext } from 'playwright-core'

/** One message that a screen reader would speak without being asked. */
export interface Announcement {
  readonly how: 'alert' | 'status' | 'focus'
  readonly text: string
}

/** The rule, as the page of the docs says it. */
export const rule = `A message counts as announced

- when an element with the role \`alert\` that has a text comes into the page, or the text of one in the page changes;
- when the text of an element with the role \`status\` (or \`aria-live\`) that was in the page before changes;
- when the focus moves to a field that is marked as invalid at that moment, each of its descriptions, and those
  of the group of fields that the focus enters.`

/** Records the announcements of every page of the context, in their order. */
export async function announcementsOf(context: BrowserContext): Promise<Announcement[]> {
  const said: Announcement[] = []
  await context.exposeBinding('announced', (_source, how: Announcement['how'], text: string) => {
    said.push({ how, text })
  })
  await context.addInitScript(record)
  return said
}

/** Runs in the page, before its own scripts. */
function record(): void {
  const live = '[role=alert], [role=status], [aria-live=polite], [aria-live=assertive]'
  const announce = (how: string, text: string | null | undefined) => {
    const spoken = text?.trim().replace(/\s+/g, ' ')
    if (spoken)
      Reflect.apply(Reflect.get(globalThis, 'announced') as (...of: string[]) => void, undefined, [how, spoken])
  }
  const isNew = (node: Node, added: ReadonlySet<Node>) => {
    for (let each: Node | null = node; each; each = each.parentNode) if (added.has(each)) return true
    return false
  }
  new MutationObserver(records => {
    const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]))
    const changed = new Set<Element>()
    for (const node of added) {
      if (node instanceof Element) for (const each of [node, ...node.querySelectorAll(live)]) changed.add(each)
    }
    for (const { target } of records) {
      const around = (target instanceof Element ? target : target.parentElement)?.closest(live)
      if (around) changed.add(around)
    }
    for (const region of changed) {
      if (!region.matches(live) || !region.isConnected || !region.checkVisibility()) continue
      const isAlert = region.matches('[role=alert], [aria-live=assertive]')
      // Readers do not speak a polite region that comes with its text.
      if (isAlert || !isNew(region, added)) announce(isAlert ? 'alert' : 'status', region.textContent)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
  document.addEventListener(
    'focusin',
    ({ target, relatedTarget }) => {
      if (!(target instanceof Element) || target.getAttribute('aria-invalid') !== 'true') return
      const group = target.closest('[role=group], fieldset')
      const entered = relatedTarget instanceof Node && group?.contains(relatedTarget) ? [target] : [target, group]
      const ids = entered.flatMap(each => each?.getAttribute('aria-describedby')?.split(/\s+/) ?? [])
      for (const id of ids) announce('focus', document.getElementById(id)?.textContent)
    },
    true,
  )
}
