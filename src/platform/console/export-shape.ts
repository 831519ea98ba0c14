import * as v from 'valibot'
import { internalProjectId } from '../http/authenticate'
import { mapValues } from '../data/unit'
import type { TableDefinitions } from '../data/unit'
import { schema } from '../model/tables'
import type { Tables } from '../model/tables'

const lists = (definitions: TableDefinitions) => mapValues(definitions, ({ row }): v.GenericSchema => v.array(row))
const projectShape = v.object(mapValues(lists(schema.ofProject), rows => v.optional(rows, [])))
const shape = v.object({
  shared: v.object(lists(schema.shared)),
  projects: v.record(v.string(), projectShape),
})

/** Columns with the id of a row in another table of the project; requests would fail if that row were missing. */
const references = [
  ['contactChannels', 'userId', 'users'],
  ['sessions', 'userId', 'users'],
  ['refreshTokens', 'sessionId', 'sessions'],
  ['memberships', 'userId', 'users'],
  ['memberships', 'teamId', 'teams'],
  ['oauthAccounts', 'userId', 'users'],
  ['passkeys', 'id', 'users'],
] as const satisfies readonly (readonly [table: keyof Tables, column: string, of: keyof Tables])[]

type RowsByTable = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/**
 * Why a platform with this project cannot import the file; null if it can. The reason has no values, since they may be
 * secrets.
 */
export function whyNoExport(file: unknown, projectId: string): string | null {
  const result = v.safeParse(shape, file, { abortEarly: true })
  if (!result.success) return `is no export of a local platform: ${fault(result.issues[0])}`
  const { shared, projects } = result.output
  const found = (shared['projects'] as readonly { readonly id: string }[]).map(({ id }) => id)
  for (const id of new Set([projectId, internalProjectId]))
    if (!found.includes(id) || !projects[id])
      return `has no project "${id}", which this platform needs; it has ${found.join(', ') || 'none'}`
  for (const [id, tables] of Object.entries(projects)) {
    const dangling = danglingIn(tables as RowsByTable)
    if (dangling !== null) return `is no export of a local platform: projects.${id}.${dangling}`
  }
  return null
}

function fault(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? 'the whole'
  return issue.input === undefined ? `${path} is missing` : `${path} is not ${issue.expected ?? 'what it has to be'}`
}

function danglingIn(tables: RowsByTable): string | null {
  for (const [table, column, of] of references) {
    const there = new Set(tables[of]?.map(({ id }) => id))
    const index = tables[table]?.findIndex(row => !there.has(row[column])) ?? -1
    if (index >= 0) return `${table}.${index}.${column} names nothing in ${of}`
  }
  return null
}
