// A template's content: blocks by id, each `{ type, data: { style, props } }`, the first one in `root`.

type EditorJson = Readonly<Record<string, unknown>>

/** The fields of a block that the pages use. */
export interface Block {
  readonly id: string
  readonly type: string
  readonly style: EditorJson
  readonly props: EditorJson
  readonly childrenIds: readonly string[]
}

/** The blocks below the root in reading order; invalid blocks are left out. */
export function blocksOf(content: unknown): Block[] {
  const seen = new Set<string>()
  const below = (id: string): Block[] => {
    if (seen.has(id)) return []
    seen.add(id)
    const block = blockOf(content, id)
    return block ? [block, ...block.childrenIds.flatMap(below)] : []
  }
  return below('root').filter(({ id }) => id !== 'root')
}

/** One block; null if the content has none with this id. */
export function blockOf(content: unknown, id: string): Block | null {
  const block = recordIn(content, id)
  const data = recordIn(block, 'data')
  if (!block || !data || typeof block['type'] !== 'string') return null
  const props = recordIn(data, 'props') ?? {}
  const columns = Array.isArray(props['columns']) ? (props['columns'] as unknown[]) : []
  const lists = [
    data['childrenIds'],
    props['childrenIds'],
    ...columns.map(each => isRecord(each) && each['childrenIds']),
  ]
  return {
    id,
    type: block['type'],
    style: recordIn(data, 'style') ?? {},
    props,
    childrenIds: lists.flat().filter(each => typeof each === 'string'),
  }
}

/** A text of the mail that can be edited. */
export interface TemplateText {
  readonly blockId: string
  readonly label: string
  readonly text: string
}

const labels: Readonly<Record<string, string>> = { Heading: 'Heading', Text: 'Text', Button: 'Button' }

/** Every text of the mail in order, numbered if there are several of a kind. */
export function textsOf(content: unknown): TemplateText[] {
  const blocks = blocksOf(content).filter(({ type, props }) => type in labels && typeof props['text'] === 'string')
  return blocks.map(({ id, type, props }) => {
    const alike = blocks.filter(each => each.type === type)
    const number = alike.length > 1 ? ` ${alike.findIndex(each => each.id === id) + 1}` : ''
    return { blockId: id, label: `${labels[type] ?? type}${number}`, text: String(props['text']) }
  })
}

/** The content with another text in one block. */
export function withText(content: unknown, blockId: string, text: string): unknown {
  const block = recordIn(content, blockId)
  const data = recordIn(block, 'data')
  if (!isRecord(content) || !data) return content
  return { ...content, [blockId]: { ...block, data: { ...data, props: { ...recordIn(data, 'props'), text } } } }
}

function recordIn(value: unknown, key: string): EditorJson | undefined {
  const found = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return isRecord(found) ? found : undefined
}

function isRecord(value: unknown): value is EditorJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
