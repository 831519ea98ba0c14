import { randomUUID } from 'node:crypto'

const longest = 500

/** Notes of the signed-in user alone. */
export function notes() {
  /** Per user, newest first. A real server has a database here. */
  const all = new Map()

  return async ({ method, ids: [id], userId, body }) => {
    const own = all.get(userId) ?? []
    switch (method) {
      case 'GET':
        return [200, own]
      case 'POST': {
        const text = textOf(body)
        if (text === undefined) return [400, { error: `A note has 1 to ${longest} characters.` }]
        const note = { id: randomUUID(), text, createdAt: new Date().toISOString() }
        all.set(userId, [note, ...own])
        return [201, note]
      }
      case 'DELETE':
        all.set(
          userId,
          own.filter(note => note.id !== id),
        )
        return [204]
      default:
        return [405, { error: `${method} is not supported here.` }]
    }
  }
}

function textOf(body) {
  const text = typeof body?.text === 'string' ? body.text.trim() : ''
  return text.length > 0 && text.length <= longest ? text : undefined
}
