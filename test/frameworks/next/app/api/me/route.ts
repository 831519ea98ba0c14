import { asUser } from '../../server'

export async function GET() {
  const user = await asUser(own => own.user$.get())
  const headers = { 'cache-control': 'private, no-store', vary: 'Cookie' }
  if (!user) return Response.json({ error: 'signed out' }, { status: 401, headers })
  return Response.json({ id: user.id, name: user.displayName }, { headers })
}
