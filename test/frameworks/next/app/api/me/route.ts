import { currentUser } from '../../../auth'

export async function GET() {
  const user = await currentUser()
  return Response.json({ id: user?.id, name: user?.displayName })
}
