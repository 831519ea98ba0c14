/**
 * The releases of the hosted platform that a local platform can emulate: the reference release, that of April 2026, and the
 * one of hosted projects.
 */
export type Wire = '2.8.18' | '2.8.86' | '2026'

/**
 * The differences between the releases, in the order in which a request meets them. Handlers check a difference by its
 * name; only this table knows which release has which.
 */
export interface WireRules {
  /** Each header `x-stack-…` has a twin `x-hexclave-…`: requests may use either, answers have both. */
  readonly hasHeaderTwins: boolean
  /** The highest status that a caller can have replaced by 200. */
  readonly highestOverridableStatus: number
  /**
   * Anonymous and restricted users are refused without a header that admits them. Their access tokens have their own
   * audiences, issuers and keys; every token says in snake case what kind of user it is for.
   */
  readonly limitsUsers: boolean
  /** An unknown project has an error of its own, instead of that of a wrong key. */
  readonly namesUnknownProjects: boolean
  /** The publishable key is optional unless the project requires it. */
  readonly hasOptionalKey: boolean
  /** Every project allows anonymous users. They have no name, and keep their id when they sign up. */
  readonly keepsAnonymousUsers: boolean
  /** E-mail addresses are always compared without case. */
  readonly ignoresEmailCase: boolean
  /** A server that changes a primary address leaves the former one as a channel, and the new one is unverified. */
  readonly keepsFormerEmails: boolean
  /** Requests and answers have the fields that a route declares as `newer`. */
  readonly hasNewerFields: boolean
  /** The release has the calls, fields and values that came after 2.8.86. */
  readonly hasLaterFields: boolean
  /** Projects and mails have another form. */
  readonly hasNewerAnswers: boolean
  /** Links are trusted by origin, which may have wildcards: ports are compared, paths are not. */
  readonly trustsOrigins: boolean
  /** The port of a trusted domain may be `*`; credentials, and wildcards behind the port, are refused. */
  readonly hasWildcardPorts: boolean
  /** Authorize refuses an untrusted target after the callback, and extra scopes at a shared provider. */
  readonly checksAuthorize: boolean
  /** A refusal at the end of an OAuth sign-in redirects to the app's `redirect_uri`, without its state. */
  readonly returnsOAuthRefusals: boolean
  /** A user may link several accounts of one provider. */
  readonly linksSeveralAccounts: boolean
  /** Sign-ups are checked by the project's rules and its bot challenge. */
  readonly screensSignUps: boolean
  /** The session given to a CLI program must belong to the project. */
  readonly checksCliSession: boolean
  /** A passkey from an untrusted origin is answered as a failed registration. */
  readonly failsForeignPasskeys: boolean
  /** Only an unrestricted user can accept an invitation. */
  readonly checksInvitedUser: boolean
  /** Only a user with the invited address, verified, can accept an invitation by its code. */
  readonly checksInvitedAddress: boolean
  /** Each project belongs to a team of its owners; each owner has one. */
  readonly hasOwnerTeams: boolean
  /** Projects can replace the platform's mails by templates of five types. */
  readonly hasEmailTemplates: boolean
  /** Mails are sent after the answer, so that a call does not fail with its mail. */
  readonly queuesMails: boolean
  /** Two of several simultaneous calls that end one session by its id succeed: the release looks, then deletes. */
  readonly endsSessionsTwice: boolean
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
  keepsFormerEmails: false,
  hasNewerFields: false,
  hasLaterFields: false,
  hasNewerAnswers: false,
  trustsOrigins: false,
  hasWildcardPorts: false,
  checksAuthorize: false,
  returnsOAuthRefusals: false,
  linksSeveralAccounts: false,
  screensSignUps: false,
  checksCliSession: false,
  failsForeignPasskeys: false,
  checksInvitedUser: false,
  checksInvitedAddress: false,
  hasOwnerTeams: false,
  hasEmailTemplates: true,
  queuesMails: false,
  endsSessionsTwice: false,
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
  keepsFormerEmails: true,
  hasNewerFields: true,
  hasLaterFields: true,
  hasNewerAnswers: true,
  trustsOrigins: true,
  hasWildcardPorts: true,
  checksAuthorize: true,
  returnsOAuthRefusals: true,
  linksSeveralAccounts: true,
  screensSignUps: true,
  checksCliSession: true,
  failsForeignPasskeys: true,
  checksInvitedUser: true,
  checksInvitedAddress: true,
  hasOwnerTeams: true,
  hasEmailTemplates: false,
  queuesMails: true,
  endsSessionsTwice: true,
  tellsMore: true,
}

/** The release of April 2026. */
const april: WireRules = {
  ...newer,
  hasHeaderTwins: false,
  hasLaterFields: false,
  hasWildcardPorts: false,
  checksInvitedAddress: false,
}

const rules: Readonly<Record<Wire, WireRules>> = { '2.8.18': reference, '2.8.86': april, '2026': newer }

export const wires = ['2.8.18', '2.8.86', '2026'] as const satisfies readonly Wire[]

export const defaultWire: Wire = '2.8.18'

export function isWire(text: string): text is Wire {
  return Object.hasOwn(rules, text)
}

/** The rules of a release. Throws for an unknown name, which untyped code may pass. */
export function rulesOf(wire: Wire): WireRules {
  if (isWire(wire)) return rules[wire]
  throw new Error(`wire "${String(wire)}" is unknown: the local platform speaks ${wires.join(', ')}`)
}
