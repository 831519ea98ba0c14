/** The arguments of `console.log` as Node prints them. */
export function format(...values: readonly unknown[]): string {
  return values.map(value => (typeof value === 'string' ? value : inspect(value, 0, []))).join(' ')
}

/** Node breaks a list that is longer than this, with two for each item. */
const lineWidth = 70
/** Node prints `[Object]` for what is deeper. */
const depth = 2

function inspect(value: unknown, level: number, above: readonly object[]): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'symbol') return value.toString()
  if (typeof value === 'function') {
    const isClass = Function.prototype.toString.call(value).startsWith('class')
    return isClass ? `[class ${value.name}]` : `[Function${value.name ? `: ${value.name}` : ' (anonymous)'}]`
  }
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Error) return describe(value)
  if (above.includes(value)) return '[Circular *1]'
  const inside = (item: unknown) => inspect(item, level + 1, [...above, value])
  const name = nameOf(value)
  if (level > depth) return `[${Array.isArray(value) ? 'Array' : name || 'Object'}]`
  if (Array.isArray(value)) return listed('', '[', value.map(inside), ']', level)
  if (value instanceof Map)
    return listed(
      `Map(${value.size}) `,
      '{',
      [...value].map(([key, item]) => `${inside(key)} => ${inside(item)}`),
      '}',
      level,
    )
  if (value instanceof Set) return listed(`Set(${value.size}) `, '{', [...value].map(inside), '}', level)
  const entries = Object.entries(value).map(
    ([key, item]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)}: ${inside(item)}`,
  )
  return listed(name && `${name} `, '{', entries, '}', level)
}

/** The error as Node prints it, without the stack, which names files of the bundle. */
export function describe(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? ` [${error.code}]` : ''
  const cause = error.cause instanceof Error ? `\n  cause: ${describe(error.cause).replaceAll('\n', '\n  ')}` : ''
  return `${error.name}${code}: ${error.message}${cause}`
}

function nameOf(value: object): string {
  const prototype = Object.getPrototypeOf(value) as { readonly constructor?: { readonly name: string } } | null
  if (prototype === null) return '[Object: null prototype]'
  const name = prototype.constructor?.name ?? ''
  return name === 'Object' ? '' : name
}

function listed(name: string, open: string, items: readonly string[], close: string, level: number): string {
  const begin = name + open
  if (items.length === 0) return begin + close
  const line = items.join('')
  const length = line.length + 2 * items.length + 2 * level + begin.length
  if (length <= lineWidth && !line.includes('\n')) return `${begin} ${items.join(', ')} ${close}`
  const indent = `\n${'  '.repeat(level)}`
  return `${begin}${indent}  ${items.join(`,${indent}  `)}${indent}${close}`
}

function quoted(text: string): string {
  const quote = ["'", '"', '`'].find(mark => !text.includes(mark)) ?? "'"
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`
}
