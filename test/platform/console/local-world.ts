import type { Platform } from 'rxauth/platform'

/** A request to the local platform's own addresses, in process. */
export async function askLocal(platform: Platform, line: string, body?: unknown) {
  const [method = '', path = ''] = line.split(' ')
  const response = await platform.fetch(
    new Request(`${platform.options.baseUrl}/__local__${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    }),
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}

export interface Told {
  readonly type: string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reaches into it, and fails on a wrong guess
  readonly [name: string]: any
}

/** Reads a stream of server-sent events. */
export function eventsOf(response: { readonly body: ReadableStream<Uint8Array> | null }) {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    /** The next event; undefined at the end. Other lines are skipped. */
    async next(): Promise<Told | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const found = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end))
          text = text.slice(end + 2)
          if (found) return { type: found[1]!, ...(JSON.parse(found[2]!) as object) }
          continue
        }
        const { done, value } = await reader.read()
        if (done) return undefined
        text += decoder.decode(value, { stream: true })
      }
    },
    /** The next event of this type. */
    async until(type: string): Promise<Told> {
      for (let told = await this.next(); told; told = await this.next()) if (told.type === type) return told
      throw new Error(`the stream ended without an event "${type}"`)
    },
    close: () => reader.cancel(),
  }
}

export async function listenTo(platform: Platform) {
  const response = await platform.fetch(new Request(`${platform.options.baseUrl}/__local__/events`))
  return eventsOf(response)
}

export const signUp = (email: string) => ({
  body: {
    email,
    password: 'correct horse',
    verification_callback_url: 'http://localhost:3000/handler/email-verification',
  },
})
