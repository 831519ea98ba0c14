/** The usual properties whose numbers are not pixels. */
const unitless = new Set(['fontWeight', 'lineHeight', 'opacity', 'order', 'flex', 'flexGrow', 'flexShrink', 'zIndex'])

/** One property of a `style` object as CSS: `fontSize: 14` is `font-size:14px`. */
export function declaration(name: string, value: string | number): string {
  return `${cssName(name)}:${typeof value === 'number' && value !== 0 && !unitless.has(name) ? `${value}px` : value}`
}

function cssName(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}
