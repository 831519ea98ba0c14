import { isRecord } from '../../core/values'
import { plain } from '../model/refusal'

// Reads the document of the hosted platform's e-mail editor: blocks by id, each `{ type, data: { style?, props? } }`.
// Invalid parts are ignored, except in the frame of the document.

type Json = Readonly<Record<string, unknown>>

/** One block, with the blocks in it. */
export interface EmailBlock {
  readonly type: (typeof blockTypes)[number]
  readonly style: Json
  readonly props: Json
  /** Lists of child blocks: one list, except in a block with columns. */
  readonly columns: readonly (readonly EmailBlock[])[]
}

const blockTypes = [
  'EmailLayout',
  'Container',
  'ColumnsContainer',
  'Text',
  'Heading',
  'Button',
  'Image',
  'Avatar',
  'Divider',
  'Spacer',
  'Html',
] as const

/** More than any editor makes. Limits the recursive drawing, since one block may be the child of several others. */
const [deepest, most] = [50, 2000]

/** The document as a tree. Refuses invalid content and names what is wrong in which block. */
export function emailTree(content: unknown): EmailBlock {
  if (!isRecord(content)) throw refused('must be an object of blocks by id')
  const root = blockIn(content, 'root', [], { left: most })
  if (root.type !== 'EmailLayout') throw refused('has a block "root" of another type than EmailLayout')
  return root
}

function blockIn(blocks: Json, id: string, above: readonly string[], budget: { left: number }): EmailBlock {
  if (above.includes(id)) throw refused(`has a block "${id}" that contains itself`)
  if (above.length >= deepest) throw refused(`has blocks that are nested more than ${deepest} deep`)
  if (budget.left-- <= 0) throw refused(`has more than ${most} blocks`)
  const block = own(blocks, id)
  if (!isRecord(block)) throw refused(`has no block "${id}"`)
  const type = blockTypes.find(each => each === own(block, 'type'))
  const data = recordOf(own(block, 'data'))
  if (!type || !data) throw refused(`has a block "${id}" without one of the types ${blockTypes.join(', ')} and data`)
  // A layout has its settings beside its children, other blocks have them in `props`.
  const props = type === 'EmailLayout' ? data : (recordOf(own(data, 'props')) ?? {})
  const lists = type === 'ColumnsContainer' ? listOf(own(props, 'columns')).map(recordOf) : [props]
  return {
    type,
    props,
    style: recordOf(own(data, 'style')) ?? {},
    columns: lists.map(list =>
      listOf(list && own(list, 'childrenIds')).map(child => {
        if (typeof child !== 'string') throw refused(`has a block "${id}" with a child whose id is no text`)
        return blockIn(blocks, child, [...above, id], budget)
      }),
    ),
  }
}

/** Reads own properties only: blocks and fields may be named like members of Object.prototype. */
function own(record: Json, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function recordOf(value: unknown): Json | undefined {
  return isRecord(value) ? value : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function refused(what: string) {
  return plain(400, `The content of an e-mail template ${what}.`)
}

// Copies styles of a document into a mail, only those values that cannot break out of the attribute.

const hexColor = /^#[\da-f]{3,8}$/i
const words = {
  ...{ color: hexColor, backgroundColor: hexColor },
  ...{ fontWeight: /^(bold|normal)$/, textAlign: /^(left|center|right)$/ },
}

/** A `style` attribute with the document's safe values and with `more`. */
export function styleOf(style: Json, more: readonly string[] = []): string {
  const said = [
    ...more,
    ...Object.entries(words).flatMap(([name, form]) => {
      const word = textOf(style, name)
      return form.test(word) ? [`${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}:${word}`] : []
    }),
    ...numbersIn(style, ['fontSize'], (_, size) => `font-size:${size}px`),
    ...numbersIn(
      recordOf(own(style, 'padding')) ?? {},
      ['top', 'right', 'bottom', 'left'],
      (side, width) => `padding-${side}:${width}px`,
    ),
  ]
  return said.length === 0 ? '' : ` style="${said.join(';')}"`
}

export function sizesOf(props: Json): string {
  return numbersIn(props, ['width', 'height'], (name, size) => ` ${name}="${size}"`).join('')
}

function numbersIn(record: Json, names: readonly string[], show: (name: string, number: number) => string): string[] {
  return names.flatMap(name => {
    const number = numberOf(record, name)
    return number === undefined ? [] : [show(name, number)]
  })
}

export function colorOf(record: Json, name: string): string | undefined {
  const color = own(record, name)
  return typeof color === 'string' && hexColor.test(color) ? color : undefined
}

export function numberOf(record: Json, name: string): number | undefined {
  const number = own(record, name)
  return typeof number === 'number' && number >= 0 && number <= 2000 ? number : undefined
}

export function textOf(record: Json, name: string): string {
  const text = own(record, name)
  return typeof text === 'string' ? text : ''
}
