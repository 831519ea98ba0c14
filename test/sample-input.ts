import type { DeclaredEndpoint } from './declared-endpoints'

const id = '6b23ae7c-0991-4b14-91fd-718afde0bfc7'

/** A well-formed value of a field of this name, if its type alone does not determine one. */
const byName: Readonly<Record<string, unknown>> = {
  email: 'ada@example.com',
  value: 'ada@example.com',
  callbackUrl: 'http://localhost:3000/handler',
  code: '0'.repeat(45),
  profileImageUrl: 'data:image/png;base64,AAAA',
}

interface Node {
  readonly type: string
  readonly wrapped?: Node
  readonly literal?: unknown
  readonly options?: readonly unknown[]
  readonly entries?: Readonly<Record<string, Node>>
}

/** A well-formed input for an endpoint: every field, by type and by name. `isOlder`: only those that every release takes. */
export function sampleInput({ input }: DeclaredEndpoint, isOlder = false): Record<string, unknown> {
  const { entries = {} } = input as unknown as Node
  const fields = Object.entries(entries).filter(([, node]) => !(isOlder && 'isNewer' in node))
  return Object.fromEntries(fields.map(([name, node]) => [name, sampleOf(name, node)]))
}

function sampleOf(name: string, node: Node): unknown {
  if (node.wrapped) return sampleOf(name, node.wrapped)
  switch (node.type) {
    case 'boolean':
      return true
    case 'number':
      return 1
    case 'date':
      return new Date('2100-01-01')
    case 'array':
      return []
    case 'literal':
      return node.literal
    case 'picklist':
      return node.options?.[0]
    case 'object':
      return Object.fromEntries(Object.entries(node.entries ?? {}).map(([key, part]) => [key, sampleOf(key, part)]))
    case 'unknown':
      return { a: 1 }
    default:
      return byName[name] ?? (name.endsWith('Id') ? id : name.endsWith('Email') ? byName['email'] : 'x')
  }
}
