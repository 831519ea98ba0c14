import * as v from 'valibot'
import { presentIn } from '../../core/values'
import { saidBy } from '../../errors/auth-error'
import type { RunningPlatform } from './running-platform'
import { count, text, tool, type Tool } from './tool'

const User = v.object({
  id: v.string(),
  primary_email: v.nullable(v.string()),
  primary_email_verified: v.boolean(),
  display_name: v.nullable(v.string()),
  is_anonymous: v.optional(v.boolean(), false),
  is_restricted: v.optional(v.boolean(), false),
})
const Users = v.object({
  items: v.array(User),
  pagination: v.object({ next_cursor: v.nullable(v.string()) }),
})
const Team = v.object({ id: v.string(), display_name: v.string() })
const Grants = v.object({ items: v.array(v.object({ id: v.string(), user_id: v.string() })) })
const Anything = v.looseObject({})

const Person = v.object({
  ...{ id: v.string(), email: v.nullable(v.string()), displayName: v.nullable(v.string()) },
  ...{ isVerified: v.boolean(), isRestricted: v.boolean(), isAnonymous: v.boolean() },
})
const Member = v.object({ id: v.string(), email: v.nullable(v.string()), permissions: v.array(v.string()) })
const ShownTeam = v.object({ id: v.string(), displayName: v.string(), members: v.optional(v.array(Member)) })

const whose = v.pipe(text('the e-mail address or the id of a user'), v.nonEmpty())

const people = tool({
  name: 'people',
  description: 'The users of the platform.',
  reads: true,
  input: v.strictObject({
    query: v.optional(text('a part of the name or the e-mail address')),
    limit: v.optional(count('how many', 200), 50),
  }),
  output: v.object({ people: v.array(Person), hasMore: v.boolean() }),
  async run({ query = '', limit }, { platform }) {
    const { items, pagination } = await usersOf(platform, { query, limit: String(limit) })
    return { people: items.map(toPerson), hasMore: pagination.next_cursor !== null }
  },
})

const signInLink = tool({
  name: 'sign_in_link',
  description:
    'An address that signs a user in at the app, without a password, each time that a browser opens it; `curl -L -c jar` only where a server of the app redeems the code. The app has to run.',
  reads: true,
  input: v.strictObject({
    user: whose,
    to: v.optional(
      text(
        'the page of the app to be led to; default the first one of its development server, such as http://localhost:3000/',
      ),
    ),
  }),
  output: v.object({ url: v.string() }),
  also: { email: 'user' },
  run: async ({ user, to }, { platform, appUrl }) => ({ url: await platform.signInAddress(user, to ?? appUrl) }),
})

const user = tool({
  name: 'user',
  description:
    'Creates a user, verifies the e-mail address, restricts the user or lifts that (with the platform of `rxauth dev --wire 2026`), or deletes the user.',
  input: v.strictObject({
    action: v.picklist(['create', 'verify', 'restrict', 'unrestrict', 'delete']),
    user: text('the e-mail address; also the id of a user who exists'),
    password: v.optional(text('of a new user; without it only other ways sign in')),
    displayName: v.optional(text('of a new user')),
    isVerified: v.optional(v.pipe(v.boolean(), v.description('of a new user')), true),
  }),
  output: v.object({ person: Person }),
  also: { email: 'user' },
  async run({ action, user: named, password, displayName, isVerified }, { platform }) {
    if (action === 'create') {
      const address = { primary_email: named, primary_email_verified: isVerified, primary_email_auth_enabled: true }
      const body = { ...address, ...presentIn({ password, display_name: displayName }) }
      return { person: toPerson(await platform.api(User, 'users', { method: 'POST', body })) }
    }
    const found = await userOf(platform, named)
    const path = `users/${found.id}`
    if (action === 'delete') {
      await platform.api(Anything, path, { method: 'DELETE' })
      return { person: toPerson(found) }
    }
    const body = action === 'verify' ? { primary_email_verified: true } : { restricted_by_admin: action === 'restrict' }
    const changed = await platform.api(User, path, { method: 'PATCH', body }).catch((error: unknown) => {
      const hint = /unknown properties/.test(saidBy(error))
        ? '; it has no restricted users: run `rxauth dev --wire 2026`'
        : ''
      throw new Error(saidBy(error) + hint, { cause: error })
    })
    return { person: toPerson(changed) }
  },
})

const team = tool({
  name: 'team',
  description:
    'Lists the teams, or those of a user; creates or deletes a team; adds or removes a member; grants or revokes a permission of a member. Answers with the teams, a single one with its members.',
  input: v.strictObject({
    action: v.picklist(['list', 'create', 'delete', 'add', 'remove', 'grant', 'revoke']),
    team: v.optional(text('the name or the id of the team; the name of a new one')),
    user: v.optional(whose),
    permission: v.optional(v.pipe(text('such as team_admin'), v.nonEmpty())),
  }),
  output: v.object({ teams: v.array(ShownTeam) }),
  also: { email: 'user', name: 'team' },
  async run({ action, team: named, user: member, permission }, { platform }) {
    const need = (name: string, value: string | undefined) => {
      if (value === undefined) throw new Error(`${action} needs "${name}"`)
      return value
    }
    if (action === 'list' && named === undefined) {
      const of = member === undefined ? '' : `?${parameters({ user_id: (await userOf(platform, member)).id })}`
      const { items } = await platform.api(v.object({ items: v.array(Team) }), `teams${of}`)
      return { teams: items.map(({ id, display_name: displayName }) => ({ id, displayName })) }
    }
    const name = need('team', named)
    const found =
      action === 'create'
        ? await platform.api(Team, 'teams', { method: 'POST', body: { display_name: name } })
        : await teamOf(platform, name)
    const { id, display_name: displayName } = found
    if (action === 'delete') {
      await platform.api(Anything, `teams/${id}`, { method: 'DELETE' })
      return { teams: [{ id, displayName }] }
    }
    if (action !== 'list' && action !== 'create') {
      const { id: userId } = await userOf(platform, need('user', member))
      const place = `${id}/${userId}`
      const isOfMember = action === 'add' || action === 'remove'
      const path = isOfMember
        ? `team-memberships/${place}`
        : `team-permissions/${place}/${encodeURIComponent(need('permission', permission))}`
      const method = action === 'add' || action === 'grant' ? 'POST' : 'DELETE'
      await platform.api(Anything, path, { method, ...(method === 'POST' && { body: {} }) })
    }
    return { teams: [{ id, displayName, members: await membersOf(platform, id) }] }
  },
})

export const peopleTools: readonly Tool[] = [people, signInLink, user, team]

function toPerson(found: v.InferOutput<typeof User>): v.InferOutput<typeof Person> {
  const { id, primary_email: email, display_name: displayName } = found
  const { primary_email_verified: isVerified, is_restricted: isRestricted, is_anonymous: isAnonymous } = found
  return { id, email, displayName, isVerified, isRestricted, isAnonymous }
}

/** Restricted and anonymous users too: newer releases list them on request, and release 2.8.18 refuses such a request. */
function usersOf(platform: RunningPlatform, query: Readonly<Record<string, string>>) {
  const list = (more: object) => platform.api(Users, `users?${parameters({ ...query, ...more })}`)
  return list({ include_anonymous: 'true' }).catch(() => list({}))
}

async function userOf(platform: RunningPlatform, named: string): Promise<v.InferOutput<typeof User>> {
  const query = named.trim()
  const { items } = await usersOf(platform, { query, limit: '100' })
  const found = items.find(({ id, primary_email: email }) => id === query || email === query.toLowerCase())
  if (found) return found
  throw new Error(`no user has the e-mail address or id "${named}": the tool people lists them`)
}

async function teamOf(platform: RunningPlatform, named: string): Promise<v.InferOutput<typeof Team>> {
  const { items } = await platform.api(v.object({ items: v.array(Team) }), 'teams')
  const found = items.filter(({ id, display_name: name }) => id === named || name === named)
  const [first, second] = found
  if (first && !second) return first
  throw new Error(
    first
      ? `${found.length} teams have the name "${named}": give the id, which the action list tells`
      : `no team has the name or id "${named}": the action list tells them`,
  )
}

async function membersOf(platform: RunningPlatform, id: string): Promise<v.InferOutput<typeof Member>[]> {
  const [{ items: users }, { items: grants }] = await Promise.all([
    usersOf(platform, { team_id: id }),
    platform.api(Grants, `team-permissions?${parameters({ team_id: id })}`),
  ])
  return users.map(({ id: userId, primary_email: email }) => {
    const permissions = grants.filter(grant => grant.user_id === userId).map(grant => grant.id)
    return { id: userId, email, permissions }
  })
}

const parameters = (values: Readonly<Record<string, string>>) => new URLSearchParams(values).toString()
