import { randomUUID } from 'node:crypto'

const longest = 500

/** Notes of the signed-in user alone. */
export function notes() {
  /** Per user, newest first. A real server has a database here. */
  const all = new Map()
  const of = userId => all.get(userId) ?? []

  return {
    GET: async ({ userId }) => [200, of(userId)],
    async POST({ userId, body }) {
      const text = typeof body?.text === 'string' ? body.text.trim() : ''
      if (text === '' || text.length > longest) return [400, { error: `A note has 1 to ${longest} characters.` }]
      const note = { id: randomUUID(), text, createdAt: new Date().toISOString() }
      all.set(userId, [note, ...of(userId)])
      return [201, note]
    },
    async DELETE({ userId, ids: [id] }) {
      const left = of(userId).filter(note => note.id !== id)
      all.set(userId, left)
      return [204]
    },
  }
}
