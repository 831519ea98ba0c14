import { wireWorld, type World } from './wire-world'

export const internal = {
  'x-stack-project-id': 'internal',
  'x-stack-publishable-client-key': 'this-publishable-client-key-is-for-local-development-only',
}

/** An owner who has just signed up at the internal project. */
export async function owner(world: World, email = 'owner@example.com') {
  const body = { email, password: 'correct horse', verification_callback_url: 'http://localhost/v' }
  const accessToken = (await world.ask('POST /auth/password/sign-up', { headers: internal, body })).body.access_token
  const asOwner = (line: string, sent?: unknown) =>
    world.ask(line, { headers: internal, accessToken, ...(sent !== undefined && { body: sent }) })
  const on = (projectId: string, line: string, sent?: unknown, access = 'admin') =>
    world.ask(line, {
      access: null,
      headers: {
        'x-stack-access-type': access,
        'x-stack-project-id': projectId,
        'x-stack-admin-access-token': accessToken,
        'x-stack-secret-server-key': '',
        'x-stack-super-secret-admin-key': '',
      },
      ...(sent !== undefined && { body: sent }),
    })
  return { accessToken, asOwner, on }
}

/** An owner with a project called Shop. */
export async function withProject() {
  const world = wireWorld()
  const me = await owner(world)
  const project = (await me.asOwner('POST /internal/projects', { display_name: 'Shop', config: {} })).body
  const current = (method: string, body?: unknown) => me.on(project.id, `${method} /internal/projects/current`, body)
  return { ...world, ...me, project, current }
}
