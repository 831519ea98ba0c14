/**
 * The releases of the hosted platform that a local platform can emulate: the reference release, that of April 2026, and the
 * one of hosted projects.
 */
export type Wire = '2.8.18' | '2.8.86' | '2026'

/** The releases, oldest first. */
export const wires = ['2.8.18', '2.8.86', '2026'] as const satisfies readonly Wire[]

export const defaultWire: Wire = '2.8.18'

/**
 * The differences between the releases, each with the release that brought it, in the order in which a request meets them.
 * Handlers check a difference by its name; only this table knows which release has which.
 */
const since = {
  /** Each header `x-stack-…` has a twin `x-hexclave-…`: requests may use either, answers have both. */
  hasHeaderTwins: '2026',
  /** A caller cannot have a status of 500 and above replaced by 200. */
  keepsServerErrors: '2.8.86',
  /**
   * Anonymous and restricted users are refused without a header that admits them. Their access tokens have their own
   * audiences, issuers and keys; every token says in snake case what kind of user it is for.
   */
  limitsUsers: '2.8.86',
  /** An unknown project has an error of its own, instead of that of a wrong key. */
  namesUnknownProjects: '2.8.86',
  /** The publishable key is optional unless the project requires it. */
  hasOptionalKey: '2.8.86',
  /** Every project allows anonymous users. They have no name, and keep their id when they sign up. */
  keepsAnonymousUsers: '2.8.86',
  /** E-mail addresses are always compared without case. */
  ignoresEmailCase: '2.8.86',
  /** A server that changes a primary address leaves the former one as a channel, and the new one is unverified. */
  keepsFormerEmails: '2.8.86',
  /** The release has the calls, fields and values that came after 2.8.86. */
  hasLaterFields: '2026',
  /** Projects and mails have another form. */
  hasNewerAnswers: '2.8.86',
  /** Links are trusted by origin, which may have wildcards: ports are compared, paths are not. */
  trustsOrigins: '2.8.86',
  /** The port of a trusted domain may be `*`; credentials, and wildcards behind the port, are refused. */
  hasWildcardPorts: '2026',
  /** Authorize refuses an untrusted target after the callback, and extra scopes at a shared provider. */
  checksAuthorize: '2.8.86',
  /** A refusal at the end of an OAuth sign-in redirects to the app's `redirect_uri`, without its state. */
  returnsOAuthRefusals: '2.8.86',
  /** A user may link several accounts of one provider. */
  linksSeveralAccounts: '2.8.86',
  /** Sign-ups are checked by the project's rules and its bot challenge. */
  screensSignUps: '2.8.86',
  /** The session given to a CLI program must belong to the project. */
  checksCliSession: '2.8.86',
  /** A passkey from an untrusted origin is answered as a failed registration. */
  failsForeignPasskeys: '2.8.86',
  /** Only an unrestricted user can accept an invitation. */
  checksInvitedUser: '2.8.86',
  /** Only a user with the invited address, verified, can accept an invitation by its code. */
  checksInvitedAddress: '2026',
  /** Each project belongs to a team of its owners; each owner has one. */
  hasOwnerTeams: '2.8.86',
  /** Mails are sent after the answer, so that a call does not fail with its mail. */
  queuesMails: '2.8.86',
  /** Two of several simultaneous calls that end one session by its id succeed: the release looks, then deletes. */
  endsSessionsTwice: '2.8.86',
  /** Some errors have more details. */
  tellsMore: '2.8.86',
} as const satisfies Readonly<Record<string, Wire>>

/** The emulated release, and whether it has each difference. */
export type WireRules = { readonly [N in keyof typeof since]: boolean } & { readonly wire: Wire }

const rulesByWire = new Map<string, WireRules>(
  wires.map((wire, age) => {
    const entries = Object.entries(since).map(([name, first]) => [name, wires.indexOf(first) <= age])
    return [wire, { ...(Object.fromEntries(entries) as Omit<WireRules, 'wire'>), wire }]
  }),
)

/** The rules of a release. Throws for an unknown name, which untyped code may pass. */
export function rulesOf(wire: Wire): WireRules {
  const rules = rulesByWire.get(wire)
  if (rules) return rules
  throw new Error(`wire "${wire}" is unknown: the local platform speaks ${wires.join(', ')}`)
}
