import type { ClientApp, CurrentUser, UserInToken } from 'rxauth'
import { currentUser, type CurrentUserOptions, type ServerApp } from 'rxauth/server'

export async function users(server: ServerApp, client: ClientApp, request: Request, options: CurrentUserOptions) {
  const now: CurrentUser | null = await currentUser(server, request)
  const asked: CurrentUser | null = await currentUser(server, request, { from: 'platform', anonymous: true })
  const told: UserInToken | null = await currentUser(server, request, { from: 'token' })
  const either: CurrentUser | UserInToken | null = await currentUser(server, request, options)
  // @ts-expect-error a token says nothing of the user's metadata
  const none: unknown = told?.clientMetadata
  // @ts-expect-error a client app has no secret key
  await currentUser(client, request)
  return [now, asked, told, either, none]
}
