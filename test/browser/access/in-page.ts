// Functions that run in the page: each contains everything that it needs, and returns the faults that it finds.

/** What is too wide for the window, cut off, or over something else. */
export function layoutFaults(): string[] {
  const faults: string[] = []
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ?? (element.textContent.trim().slice(0, 40) || element.outerHTML.slice(0, 80))
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} wide in a window of ${innerWidth}`)
  const seen = [...document.querySelectorAll<HTMLElement>('body *')].filter(
    each => each.checkVisibility() && !each.closest('.for-readers, svg, noscript'),
  )
  for (const each of seen) {
    const { overflowX, overflowY } = getComputedStyle(each)
    const isCut =
      (overflowX !== 'visible' && each.scrollWidth > each.clientWidth + 1 && overflowX !== 'auto') ||
      (overflowY === 'hidden' && each.scrollHeight > each.clientHeight + 1)
    if (isCut && !each.matches('input, html, body')) faults.push(`cut off: ${nameOf(each)}`)
    const { left, right, width } = each.getBoundingClientRect()
    if (width > 0 && (left < -1 || right > innerWidth + 1)) faults.push(`beside the window: ${nameOf(each)}`)
  }
  const inBar = (element: Element) => element.closest('.bar, .toasts, [popover], dialog')
  const boxOf = (element: Element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    if (!element.matches('input')) return { left, right, top, bottom }
    // A button may be in the padding of a field.
    const style = getComputedStyle(element)
    return { left: left + parseFloat(style.paddingLeft), right: right - parseFloat(style.paddingRight), top, bottom }
  }
  const controls = seen.filter(each => each.matches('a, button, input, select, textarea, h1, h2, label, [role=alert]'))
  controls.forEach((one, index) => {
    for (const other of controls.slice(index + 1)) {
      if (one.contains(other) || other.contains(one) || inBar(one) !== inBar(other)) continue
      const [a, b] = [boxOf(one), boxOf(other)]
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (across > 1 && down > 1) faults.push(`${nameOf(one)} and ${nameOf(other)} overlap`)
    }
  })
  return faults
}

/** Targets of a pointer that are smaller than 24 by 24, unless WCAG 2.5.8 excepts them: by their room, or in a sentence. */
export function targetFaults(): string[] {
  const above = document.querySelector('dialog[open], :popover-open') ?? document
  const controls = [...above.querySelectorAll<HTMLElement>('a, button, input, select, textarea')].filter(
    each => each.checkVisibility() && !each.closest('.for-readers'),
  )
  const targets = controls.map(element => {
    // The label of a box is a part of its target.
    const { left, right, top, bottom, width, height } = (element.closest('label') ?? element).getBoundingClientRect()
    return { element, left, right, top, bottom, width, height }
  })
  const isInSentence = ({ parentElement }: Element) =>
    [...(parentElement?.childNodes ?? [])].some(node => node instanceof Text && node.data.trim() !== '')
  const hasRoom = (target: (typeof targets)[number]) => {
    const [x, y] = [(target.left + target.right) / 2, (target.top + target.bottom) / 2]
    return targets.every(({ element, left, right, top, bottom }) => {
      if (element === target.element) return true
      const [across, down] = [Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)]
      return Math.hypot(across, down) >= 12
    })
  }
  return targets.flatMap(target => {
    const { element, width, height } = target
    if ((width >= 23.99 && height >= 23.99) || isInSentence(element) || hasRoom(target)) return []
    return [`${Math.round(width)} × ${Math.round(height)}: ${element.textContent || element.outerHTML}`]
  })
}

/** Controls that the bar at the top hides when the focus moves to them, or that are not within the window. */
export function hiddenFocusFaults(): string[] {
  const before = document.activeElement
  const above = document.querySelector('dialog[open], :popover-open') ?? document
  const faults = [...above.querySelectorAll<HTMLElement>('a, button, input, select, textarea')].flatMap(each => {
    if (!each.checkVisibility() || each.matches(':disabled, [tabindex="-1"], [role=menuitem]')) return []
    each.focus()
    const { left, right, top, bottom } = each.getBoundingClientRect()
    const bar = document.querySelector('.bar')
    const covered = bar && above === document && !bar.contains(each) ? bar.getBoundingClientRect().bottom : 0
    const isSeen = bottom > covered && top < innerHeight && right > 0 && left < innerWidth
    return isSeen && top >= covered - 1 ? [] : [`hidden: ${each.getAttribute('aria-label') ?? each.textContent}`]
  })
  if (before instanceof HTMLElement) before.focus()
  return faults
}

/** What is not there for the eye when the system chooses all colours. */
export function forcedColorFaults(): string[] {
  const faults: string[] = []
  if (!matchMedia('(forced-colors: active)').matches) faults.push('the colours are not forced')
  const backgroundOf = (element: Element | null): string => {
    for (let each = element; each; each = each.parentElement) {
      const { backgroundColor } = getComputedStyle(each)
      if (!/^rgba.*, 0\)$/.test(backgroundColor)) return backgroundColor
    }
    return getComputedStyle(document.documentElement).backgroundColor
  }
  const isSeen = (each: Element) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.for-readers')
  for (const each of document.querySelectorAll<HTMLElement>(
    '.auth-button, .auth-input, .auth-card, dialog, [role=menu]:popover-open',
  )) {
    const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(each)
    const hasBorder = parseFloat(borderTopWidth) > 0 && borderTopStyle !== 'none'
    if (isSeen(each) && !(hasBorder && borderTopColor !== backgroundOf(each.parentElement)))
      faults.push(`no border: ${each.outerHTML.slice(0, 120)}`)
  }
  for (const each of document.querySelectorAll('[role=alert].auth-alert, [role=status].auth-alert')) {
    const { outlineStyle, outlineWidth } = getComputedStyle(each)
    if (isSeen(each) && (outlineStyle === 'none' || parseFloat(outlineWidth) === 0))
      faults.push(`no edge: ${each.textContent}`)
  }
  for (const icon of document.querySelectorAll('svg')) {
    if (!isSeen(icon)) continue
    const behind = backgroundOf(icon)
    const isDrawn = [...icon.querySelectorAll('path, rect, circle')].some(shape => {
      const { fill, stroke } = getComputedStyle(shape)
      return [fill, stroke].some(paint => paint !== 'none' && paint !== behind && !/^rgba.*, 0\)$/.test(paint))
    })
    const { width, height } = icon.getBoundingClientRect()
    if (!isDrawn || width === 0 || height === 0) faults.push(`no icon: ${icon.parentElement!.outerHTML.slice(0, 120)}`)
  }
  for (const each of document.querySelectorAll<HTMLButtonElement>('button:disabled')) {
    const enabled = [...document.querySelectorAll('button:enabled')].find(isSeen)
    if (isSeen(each) && enabled && getComputedStyle(each).color === getComputedStyle(enabled).color)
      faults.push(`looks enabled: ${each.textContent}`)
  }
  return faults
}

/** What does not run from right to left, and addresses, passwords and codes that do. */
export function mirrorFaults(): string[] {
  const faults: string[] = []
  if (getComputedStyle(document.body).direction !== 'rtl') faults.push('the page runs from left to right')
  const isLtr = (each: Element) => each.closest('[dir=ltr]') !== null
  const shown = (each: Element) => each.checkVisibility() && each.getBoundingClientRect().width > 0
  for (const row of document.querySelectorAll<HTMLElement>('body *')) {
    const { display, flexDirection, direction, textAlign } = getComputedStyle(row)
    if (!shown(row) || isLtr(row) || row.closest('svg, .for-readers')) continue
    if (textAlign === 'left' || direction !== 'rtl') faults.push(`from the left: ${row.outerHTML.slice(0, 120)}`)
    if (!/flex/.test(display) || flexDirection !== 'row') continue
    const boxes = [...row.children].filter(shown).map(each => each.getBoundingClientRect())
    boxes.slice(1).forEach((box, index) => {
      const former = boxes[index]!
      const isSameLine = box.top < former.bottom && former.top < box.bottom
      if (isSameLine && box.left > former.left) faults.push(`not mirrored: ${row.outerHTML.slice(0, 120)}`)
    })
  }
  for (const end of document.querySelectorAll('.field-box > :not(.auth-input)')) {
    const [box, field] = [end.getBoundingClientRect(), end.parentElement!.getBoundingClientRect()]
    if (box.left - field.left > field.right - box.right) faults.push(`at the right end: ${end.outerHTML}`)
  }
  for (const field of document.querySelectorAll(
    'input[type=email], input[autocomplete$=password], .code-boxes > input',
  )) {
    const { direction, unicodeBidi } = getComputedStyle(field)
    if (direction !== 'ltr' && unicodeBidi !== 'plaintext') faults.push(`typed from the right: ${field.outerHTML}`)
  }
  return faults
}
