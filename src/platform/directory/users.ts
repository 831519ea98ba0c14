import type { Engine } from '../model/engine'
import { noMetadata, normalizeEmail, type ContactChannelRow, type UserRow } from '../model/users'
import { primaryChannelOf } from '../model/restriction'
import { grantUserDefaults } from './permissions'
import { known, plain, type RefusedRequest } from '../model/refusal'
import type { Tables } from '../model/tables'
import { createTeam, join } from './teams'
import { tellUserCreated, tellUserDeleted } from '../webhooks/webhook-events'
import type { Caller } from '../http/authenticate'
import { isBase64Image } from '../model/limits'

const dayMillis = 86_400_000

/** Today and the thirty days before. */
const daysKept = 31

/** The days of the metrics, oldest first; the last one is today. */
export function daysUntil(now: number): string[] {
  return Array.from({ length: daysKept }, (_, index) => dateOf(now - (daysKept - 1 - index) * dayMillis))
}

export function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/** Records that the user is active now, and deletes the user's days that no metric shows any more. */
export function noteActivity({ tables: { activity }, clock }: Engine, userId: string): void {
  const now = clock.now()
  const date = dateOf(now)
  activity.put({ id: `${userId} ${date}`, userId, date, lastAt: now })
  const oldest = dateOf(now - (daysKept - 1) * dayMillis)
  for (const row of activity.by('userId', [userId])) if (row.date < oldest) activity.delete(row.id)
}

export type NewUser = Partial<UserRow> & {
  readonly email?: Pick<ContactChannelRow, 'value' | 'isVerified' | 'usedForAuth'>
}

/**
 * Creates a user with the project's default permissions, and with a personal team if the project's settings say so.
 * Refuses an address that another user already signs in with.
 */
export function createUser(engine: Engine, { email, ...given }: NewUser): UserRow {
  const { tables, clock, settings } = engine
  const value = email && normalizeEmail(email.value)
  if (value !== undefined && email?.usedForAuth) requireFreeAuthEmail(engine, value)
  const now = clock.now()
  const id = given.id ?? crypto.randomUUID()
  const user = tables.users.put({
    id,
    displayName: null,
    profileImageUrl: null,
    signedUpAt: now,
    lastActiveAt: now,
    clientMetadata: noMetadata(),
    clientReadOnlyMetadata: noMetadata(),
    serverMetadata: noMetadata(),
    password: null,
    otpAuthEnabled: false,
    totpSecretBase64: null,
    requiresTotpMfa: false,
    isAnonymous: false,
    restrictedByAdmin: false,
    selectedTeamId: null,
    ...given,
  })
  if (email && value !== undefined)
    tables.contactChannels.put({ id: crypto.randomUUID(), userId: id, ...email, value, isPrimary: true })
  grantUserDefaults(engine, id)
  const name = user.displayName ?? value
  const displayName = name === undefined ? 'Personal Team' : `${name}'s Team`
  const team = settings.createTeamOnSignUp ? createTeam(engine, { displayName }) : undefined
  if (team) join(engine, { teamId: team.id, userId: id, as: 'creator' })
  tellUserCreated(engine, user)
  return team ? tables.users.patch(id, { selectedTeamId: team.id }) : user
}

/** Deletes the user with all rows that belong to it. */
export function deleteUser(engine: Engine, userId: string): void {
  tellUserDeleted(engine, userId)
  engine.tables.users.delete(userId)
}

/** The contact channel with the address: the one that signs in, else a primary one, else one that a user has only noted. */
export function channelOf({ contactChannels }: Tables, email: string): ContactChannelRow | undefined {
  const all = contactChannels.by('value', normalizeEmail(email))
  return all.find(({ usedForAuth }) => usedForAuth) ?? all.find(({ isPrimary }) => isPrimary) ?? all[0]
}

/** The contact channel that signs a user in with the address. The reference release compares it case-sensitively. */
export function authChannelOf({ tables, rules }: Engine, email: string): ContactChannelRow | undefined {
  return tables.contactChannels.first('authValue', rules.ignoresEmailCase ? normalizeEmail(email) : email)
}

export function requireFreeAuthEmail(engine: Engine, email: string, exceptUserId?: string): void {
  const taken = authChannelOf(engine, email)
  if (taken && taken.userId !== exceptUserId) throw existsAlready(engine, email)
}

/** `wouldWorkIfVerified`: this way of signing in would work for the address's user if the address were verified. */
export function existsAlready({ rules }: Engine, email: string, wouldWorkIfVerified = false): RefusedRequest {
  return known('USER_EMAIL_ALREADY_EXISTS', `A user with the e-mail address ${email} exists already.`, {
    email,
    ...(rules.tellsMore && { wouldWorkIfEmailWasVerified: wouldWorkIfVerified }),
  })
}

/**
 * Makes the given address the user's primary one. It is unverified, and signs in where the former one did, which stays as a
 * channel. Where it did, an address with which any user signs in is refused, an own older one too: that becomes the primary one as
 * a contact channel. Null leaves the user without a primary address.
 */
export function choosePrimaryEmail(engine: Engine, user: UserRow, email: string | null): void {
  const value = email && normalizeEmail(email)
  const former = primaryChannelOf(engine.tables, user.id)
  if (value !== null && former?.value === value) return
  if (value !== null && former?.usedForAuth) requireFreeAuthEmail(engine, value)
  makePrimary(engine, user, value)
}

/** The channel of the address, which is made if it is missing, becomes the primary one; the former one stays as a channel. */
function makePrimary({ tables: { contactChannels } }: Engine, user: UserRow, value: string | null): void {
  const channels = contactChannels.by('userId', user.id)
  const former = channels.find(({ isPrimary }) => isPrimary)
  const usedForAuth = former?.usedForAuth ?? false
  const fresh = { id: crypto.randomUUID(), userId: user.id, isVerified: false, usedForAuth }
  if (former) contactChannels.patch(former.id, { isPrimary: false })
  if (value !== null)
    contactChannels.put({
      ...(channels.find(channel => channel.value === value) ?? { ...fresh, value }),
      isPrimary: true,
    })
}

/**
 * Sets a server's changes to the primary e-mail address. On the reference release a new value keeps the flags of the one that it
 * replaces, and null deletes the channel; later ones keep the former channel. Source: entities, UserServerUpdate.
 */
export function setPrimaryEmail(
  engine: Engine,
  user: UserRow,
  changes: { readonly email?: string | null; readonly isVerified?: boolean; readonly usedForAuth?: boolean },
): void {
  const { tables, rules } = engine
  const { contactChannels } = tables
  const former = primaryChannelOf(tables, user.id)
  const value = changes.email === undefined ? former?.value : changes.email && normalizeEmail(changes.email)
  if (typeof value !== 'string') {
    if (changes.isVerified || changes.usedForAuth)
      throw plain(400, 'A user without a primary e-mail address cannot use it.')
    if (former && rules.keepsFormerEmails) makePrimary(engine, user, null)
    else if (former) contactChannels.delete(former.id)
    return
  }
  if (changes.usedForAuth ?? former?.usedForAuth) requireFreeAuthEmail(engine, value, user.id)
  if (former && former.value !== value && rules.keepsFormerEmails) makePrimary(engine, user, value)
  const current = primaryChannelOf(tables, user.id)
  const id = current?.id ?? crypto.randomUUID()
  for (const other of contactChannels.by('userId', user.id))
    if (other.value === value && other.id !== id) contactChannels.delete(other.id)
  contactChannels.put({
    id,
    userId: user.id,
    value,
    isPrimary: true,
    isVerified: changes.isVerified ?? current?.isVerified ?? false,
    usedForAuth: changes.usedForAuth ?? current?.usedForAuth ?? false,
  })
}

/** Refuses a client's image that only servers may set. */
export function requireOwnImage({ access }: Pick<Caller, 'access'>, url: string | null | undefined): void {
  if (access === 'client' && url && !isBase64Image(url))
    throw plain(400, 'A client may only set an image as a base64 data URL.')
}

/**
 * Tells which texts contain a match of the search pattern, where `%` stands for any characters and `_` for one.
 *
 * Each part between two `%` is matched at its first place after the part before it. One expression for the whole pattern
 * would try every combination of places.
 */
export function containingLike(pattern: string): (text: string) => boolean {
  const forms = pattern
    .split('%')
    .map(part => new RegExp(part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('_', '.'), 'gsu'))
  return text => {
    let from = 0
    return forms.every(form => {
      form.lastIndex = from
      const isFound = form.test(text)
      from = form.lastIndex
      return isFound
    })
  }
}

/** Whether the query is the user's id, or a part of the name or of any address. */
export function searchFor(query: string, { contactChannels }: Tables): (user: UserRow) => boolean {
  const part = query.toLowerCase()
  const contains = containingLike(part)
  return ({ id, displayName }) => {
    // A missing name must not match "%".
    const names = displayName === null ? [] : [displayName]
    const addresses = contactChannels.by('userId', id).map(({ value }) => value)
    return id === part || [...names, ...addresses].some(text => contains(text.toLowerCase()))
  }
}
