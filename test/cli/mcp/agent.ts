import { Client, type Transport } from '@modelcontextprotocol/client'
import { PassThrough } from 'node:stream'
import { run } from '../../../src/cli/run'
import { terminal } from '../terminal'

const closers: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** An answer of a tool: its value, or the text of its refusal. */
export interface ToolAnswer {
  readonly value: Readonly<Record<string, unknown>> | undefined
  readonly text: string
  readonly isError: boolean
}

/** A client of `rxauth mcp`, which runs in this process over streams in the place of standard input and output. */
export async function agent(args: readonly string[], folder?: string) {
  const input = new PassThrough()
  let rest = ''
  const transport: Transport = {
    start: async () => {},
    send: async message => void input.write(`${JSON.stringify(message)}\n`),
    async close() {
      input.end()
      transport.onclose?.()
    },
  }
  const { io, err } = terminal({
    input: () => input,
    out(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) transport.onmessage?.(JSON.parse(line))
    },
    ...(folder !== undefined && { folder }),
  })
  const ended = run(['mcp', ...args], io)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  async function stop(): Promise<number> {
    await client.close()
    return ended
  }
  closers.push(stop)
  return {
    client,
    err,
    stop,
    async call(name: string, given: object = {}): Promise<ToolAnswer> {
      const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: { ...given } })
      const [part] = content
      const value = structuredContent as ToolAnswer['value']
      return { value, text: part?.type === 'text' ? part.text : '', isError }
    },
  }
}
