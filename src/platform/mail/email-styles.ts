import { own } from './email-blocks'

// Copies styles of a document into a mail, only those values that cannot break out of the attribute.

type StyleData = Readonly<Record<string, unknown>>

/** A `style` attribute with the document's safe values and with `more`. */
export function styleOf(style: StyleData, more: readonly string[] = []): string {
  const padding = own(style, 'padding')
  const sides = typeof padding === 'object' && padding !== null ? (padding as StyleData) : {}
  const size = numberOf(style, 'fontSize')
  const words = { fontWeight: /^(bold|normal)$/, textAlign: /^(left|center|right)$/ }
  const said = [
    ...more,
    ...['color', 'backgroundColor'].flatMap(name => {
      const color = colorOf(style, name)
      return color ? [`${kebab(name)}:${color}`] : []
    }),
    ...Object.entries(words).flatMap(([name, form]) => {
      const word = textOf(style, name)
      return form.test(word) ? [`${kebab(name)}:${word}`] : []
    }),
    ...(size === undefined ? [] : [`font-size:${size}px`]),
    ...['top', 'right', 'bottom', 'left'].flatMap(side => {
      const width = numberOf(sides, side)
      return width === undefined ? [] : [`padding-${side}:${width}px`]
    }),
  ]
  return said.length === 0 ? '' : ` style="${said.join(';')}"`
}

export function sizesOf(props: StyleData): string {
  return ['width', 'height']
    .flatMap(name => {
      const size = numberOf(props, name)
      return size === undefined ? [] : [` ${name}="${size}"`]
    })
    .join('')
}

export function colorsOf<K extends string>(
  props: StyleData,
  names: Readonly<Record<K, string>>,
): Partial<Record<K, string>> {
  const found = Object.entries<string>(names).flatMap(([key, name]) => {
    const color = colorOf(props, name)
    return color ? [[key, color]] : []
  })
  // The keys are those of `names`, which `fromEntries` forgets.
  return Object.fromEntries(found) as Partial<Record<K, string>>
}

export function colorOf(record: StyleData, name: string): string | undefined {
  const color = own(record, name)
  return typeof color === 'string' && /^#[\da-f]{3,8}$/i.test(color) ? color : undefined
}

export function numberOf(record: StyleData, name: string): number | undefined {
  const number = own(record, name)
  return typeof number === 'number' && number >= 0 && number <= 2000 ? number : undefined
}

export function textOf(record: StyleData, name: string): string {
  const text = own(record, name)
  return typeof text === 'string' ? text : ''
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}
