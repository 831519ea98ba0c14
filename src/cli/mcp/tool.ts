import type { McpServer } from '@modelcontextprotocol/server'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import type { RunningPlatform } from './running-platform'

type ToolFields = v.StrictObjectSchema<v.ObjectEntries, undefined>
type ToolOutput = v.ObjectSchema<v.ObjectEntries, undefined>

/** State of one connection, which its tools share. */
export interface ToolSession {
  readonly platform: RunningPlatform
  /** The usual address of the app. */
  readonly appUrl: string
  /** Data by the name that was given to them. */
  readonly snapshots: Map<string, object>
  /** The ids of mails that `wait_for_mail` has given. */
  readonly givenMails: Set<string>
  /** The calls under way. */
  readonly calls: Set<Promise<unknown>>
  readonly searchDocs: (words: string) => readonly v.InferOutput<typeof DocsPart>[]
}

/** A part of a page of the package. */
export const DocsPart = v.object({ page: v.string(), heading: v.string(), text: v.string() })

interface ToolDefinition<I extends ToolFields, O extends ToolOutput> {
  readonly name: string
  /** The effect, for the agent that chooses a tool. */
  readonly description: string
  /** Whether it changes nothing. */
  readonly reads?: true
  readonly input: I
  readonly output: O
  /** Names that agents guess, each with the field that is meant. One of the two is needed where the field is. */
  readonly also?: Readonly<Record<string, keyof I['entries'] & string>>
  readonly run: (input: v.InferOutput<I>, session: ToolSession, signal: AbortSignal) => Promise<v.InferOutput<O>>
}

/** Registers a tool at a server. */
export type Tool = (server: McpServer, session: ToolSession) => void

export function tool<I extends ToolFields, O extends ToolOutput>(definition: ToolDefinition<I, O>): Tool {
  const { name, description, reads = false, input, output, also = {}, run } = definition
  return (server, session) => {
    const inputSchema = toStandardJsonSchema<ToolFields>(withAlso(input, also))
    const outputSchema = toStandardJsonSchema<ToolOutput>(output)
    const annotations = { readOnlyHint: reads, openWorldHint: false }
    server.registerTool(name, { description, inputSchema, outputSchema, annotations }, async (given, context) => {
      // The server has parsed it by this schema.
      const call = run(renamed(name, input, given, also), session, context.mcpReq.signal)
      session.calls.add(call)
      const answer = await call.finally(() => session.calls.delete(call))
      return { structuredContent: answer, content: [{ type: 'text', text: JSON.stringify(answer, null, 1) }] }
    })
  }
}

/** The fields, and their other names. */
function withAlso({ entries }: ToolFields, also: Readonly<Record<string, string>>): ToolFields {
  const named = Object.entries(also).flatMap(([other, field]) => {
    const schema = entries[field] as v.GenericSchema
    const same = v.pipe(schema, v.description(`the same as "${field}"`))
    return [[field, v.optional(schema)] as const, [other, v.optional(same)] as const]
  })
  return v.strictObject({ ...entries, ...Object.fromEntries(named) })
}

/** The values by the names of the fields. Throws for one that is missing under both names. */
function renamed<I extends ToolFields>(
  tool: string,
  { entries }: I,
  given: object,
  also: Readonly<Record<string, string>>,
): v.InferOutput<I> {
  const values = new Map<string, unknown>(Object.entries(given))
  for (const [other, field] of Object.entries(also)) {
    const value = values.get(field) ?? values.get(other)
    values.delete(other)
    if (value !== undefined) values.set(field, value)
    else if (entries[field]?.type !== 'optional') throw new Error(`${tool} needs "${field}"`)
  }
  // The server has parsed each value by the schema of its field.
  return Object.fromEntries(values)
}

export const text = (description: string) => v.pipe(v.string(), v.description(description))

export const count = (description: string, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most), v.description(description))
