/**
 * The releases of the hosted platform that a local one speaks like.
 *
 * @example
 * const wire: Wire = '2026'
 * const platform = createPlatform({ wire })
 */
export type Wire = '2.8.18' | '2026'

/**
 * What the releases do differently, in the order in which a request meets it. A handler asks for the difference by its name;
 * this table is the only place that knows which release does what.
 */
export interface WireRules {
  /** Each header `x-stack-…` has a twin `x-hexclave-…`: requests may use either, answers carry both. */
  readonly hasHeaderTwins: boolean
  /** The highest status that a caller can have sent as 200. */
  readonly highestOverridableStatus: number
  /**
   * Anonymous and restricted users are answered only with a header that admits them. Their access tokens have audiences,
   * issuers and keys of their own; every token says what its user is, in snake case.
   */
  readonly limitsUsers: boolean
  /** A project that does not exist is told as such, not as a wrong key. */
  readonly namesUnknownProjects: boolean
  /** The publishable key is optional, unless the project demands it. */
  readonly hasOptionalKey: boolean
  /** Every project has anonymous users. They have no name, and keep their id when they sign up. */
  readonly keepsAnonymousUsers: boolean
  /** E-mail addresses are compared without case wherever they are compared. */
  readonly ignoresEmailCase: boolean
  /** Requests and answers have the fields that a route declares as `newer`. */
  readonly hasNewerFields: boolean
  /** Projects and mails have a form of their own. */
  readonly hasNewerAnswers: boolean
  /** A link is trusted by its origin, which may have wildcards: ports are compared, paths are not. */
  readonly trustsOrigins: boolean
  /** Authorize refuses a target after the callback that is not trusted, and extra scopes that it could not get. */
  readonly checksAuthorize: boolean
  /** A refusal at the end of an OAuth sign-in leads to the app's `redirect_uri`, without its state. */
  readonly returnsOAuthRefusals: boolean
  /** A user may link several accounts of one provider. */
  readonly linksSeveralAccounts: boolean
  /** Sign-ups obey the project's rules and its bot challenge. */
  readonly screensSignUps: boolean
  /** A session that is handed to a program must be one of the project. */
  readonly checksCliSession: boolean
  /** A passkey of an untrusted origin is a registration that failed. */
  readonly failsForeignPasskeys: boolean
  /** An invitation is for an unrestricted user with the address that it was mailed to. */
  readonly checksInvitedUser: boolean
  /** A project belongs to a team of its owners, who each have one. */
  readonly hasOwnerTeams: boolean
  /** Projects write the platform's mails anew by templates of five types. */
  readonly hasEmailTemplates: boolean
  /** Some errors have more details. */
  readonly tellsMore: boolean
}

const reference: WireRules = {
  hasHeaderTwins: false,
  highestOverridableStatus: 599,
  limitsUsers: false,
  namesUnknownProjects: false,
  hasOptionalKey: false,
  keepsAnonymousUsers: false,
  ignoresEmailCase: false,
  hasNewerFields: false,
  hasNewerAnswers: false,
  trustsOrigins: false,
  checksAuthorize: false,
  returnsOAuthRefusals: false,
  linksSeveralAccounts: false,
  screensSignUps: false,
  checksCliSession: false,
  failsForeignPasskeys: false,
  checksInvitedUser: false,
  hasOwnerTeams: false,
  hasEmailTemplates: true,
  tellsMore: false,
}

const newer: WireRules = {
  hasHeaderTwins: true,
  highestOverridableStatus: 499,
  limitsUsers: true,
  namesUnknownProjects: true,
  hasOptionalKey: true,
  keepsAnonymousUsers: true,
  ignoresEmailCase: true,
  hasNewerFields: true,
  hasNewerAnswers: true,
  trustsOrigins: true,
  checksAuthorize: true,
  returnsOAuthRefusals: true,
  linksSeveralAccounts: true,
  screensSignUps: true,
  checksCliSession: true,
  failsForeignPasskeys: true,
  checksInvitedUser: true,
  hasOwnerTeams: true,
  hasEmailTemplates: false,
  tellsMore: true,
}

const rules: Readonly<Record<Wire, WireRules>> = { '2.8.18': reference, '2026': newer }

export const wires = ['2.8.18', '2026'] as const satisfies readonly Wire[]

export const defaultWire: Wire = '2.8.18'

export function isWire(text: string): text is Wire {
  return Object.hasOwn(rules, text)
}

/** The rules of a release; a name that is none of them comes from code that no compiler has checked. */
export function rulesOf(wire: Wire): WireRules {
  if (isWire(wire)) return rules[wire]
  throw new Error(`wire "${String(wire)}" is unknown: the local platform speaks ${wires.join(' and ')}`)
}
