import * as v from 'valibot'
import { email, json, lacking, millis, newer, serverStore, serverWrite, type Shape } from '../declare'
import { misuse } from '../../errors/auth-error'
import { mailsSent } from './shape'

const fields = v.object({
  userId: v.string(),
  userEmail: v.optional(v.string()),
  /** Absent: the platform has queued the mail without reporting its delivery. */
  success: v.optional(v.boolean()),
  error: v.optional(v.string()),
})

function statusOf({ success }: { readonly success?: boolean | undefined }): 'queued' | 'sent' | 'failed' {
  if (success === undefined) return 'queued'
  return success ? 'sent' : 'failed'
}

/**
 * The state of the mail to one user in the answer. `queued`: it will be sent, and may still fail; the outbox tells. `sent` and
 * `failed`: release 2.8.18, which sends mails before it answers.
 */
export interface EmailResult extends v.InferOutput<typeof fields> {
  readonly status: 'queued' | 'sent' | 'failed'
}
export const EmailResult: Shape<EmailResult> = v.pipe(
  fields,
  v.transform(result => ({ ...result, status: statusOf(result) })),
)

/** Newer releases may also list addresses, which have no user. */
const results = v.pipe(
  v.array(v.partial(fields, ['userId'])),
  v.transform(all =>
    all.flatMap(({ userId, ...result }): EmailResult[] =>
      userId === undefined ? [] : [{ userId, ...result, status: statusOf(result) }],
    ),
  ),
)

/** Exactly one of the fields. */
type OneOf<T> = { [K in keyof T]: Pick<T, K> & { readonly [_ in Exclude<keyof T, K>]?: never } }[keyof T]

type Receivers = OneOf<{
  /** To the primary address of each. */
  readonly userIds: readonly string[]
  /** To every user of the project. */
  readonly allUsers: true
  /** To addresses without a user. */
  readonly emails: readonly string[]
}>

type Content =
  | { readonly html: string; readonly templateId?: never; readonly draftId?: never; readonly variables?: never }
  | {
      readonly templateId: string
      /** The values that the template shows. */
      readonly variables?: Readonly<Record<string, unknown>>
      readonly html?: never
      readonly draftId?: never
    }
  | { readonly draftId: string; readonly html?: never; readonly templateId?: never; readonly variables?: never }

interface MailSettings {
  /** Default: the template's, else the project's name. Release 2.8.18 requires it. */
  readonly subject?: string
  /** As in `notificationPreferencesOf$`. Default: the template's, else Transactional. Release 2.8.18 requires it. */
  readonly notificationCategoryName?: string
  /** An id, null for the project's theme, false for none. Default: the template's. */
  readonly themeId?: string | false | null
  readonly isHighPriority?: boolean
  /** When to send it. Default: now. */
  readonly scheduledAt?: Date
}

/** A mail, and its receivers: exactly one of `userIds`, `allUsers` and `emails`, and of `html`, `templateId` and `draftId`. */
export type SendEmailInput = Receivers & Content & MailSettings

const receivers = ['userIds', 'allUsers', 'emails'] as const
const contents = ['html', 'templateId', 'draftId'] as const

/**
 * Sends a mail to users, to all users, or to bare addresses, from HTML, a template or a draft. A user gets it at the primary
 * address, if it receives mails of the category; a mail of a category that can be switched off ends with a link to do so.
 *
 * Newer releases queue mails: each of `results` has the `status` `queued`, and there is none for a bare address. What may
 * still fail, such as rendering and delivery, is in `emailOutbox$`. Release 2.8.18 sends to `userIds` alone, from `html` alone,
 * and at once: its `results` say which mail was sent, and `error` why not (unknown user, no primary address, category switched
 * off); all else throws NOT_ON_THIS_PLATFORM there.
 *
 * On release 2.8.18 `html` is JSX to the platform: `<br />` and not `<br>`, `style={{ color: 'red' }}`, no bare braces, comments or
 * documents. Other HTML is sent to no user.
 *
 * Throws INVALID_INPUT, before a request, unless there is exactly one kind of receiver and one of content, for `variables` without
 * a template, and for an address that is none. Throws REQUEST_FAILED with status 400 if the project has no mail server of its own, with 404 for an unknown
 * category; on newer releases REQUIRES_CUSTOM_EMAIL_SERVER and status 400, and USER_ID_DOES_NOT_EXIST for the first unknown id:
 * then no mail is sent. After a NETWORK_ERROR the mails may have been sent; with an INVALID_RESPONSE that `isDone` they have been.
 *
 * For an id that is no UUID, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500) in place of `success: false`:
 * see "Where the hosted platform answers 500" in docs/errors.md.
 *
 * @example
 * const { results } = await server.sendEmail({
 *   userIds: ['user-1'],
 *   subject: 'Your invoice',
 *   html: '<p>Attached.</p>',
 *   notificationCategoryName: 'Transactional',
 * })
 */
export const sendEmail = serverWrite('POST /emails/send-email', {
  body: {
    userIds: v.optional(v.array(v.string())),
    allUsers: newer(v.optional(v.literal(true))),
    emails: newer(v.optional(v.array(email()))),
    html: v.optional(v.string()),
    templateId: newer(v.optional(v.string())),
    variables: newer(v.optional(json<Readonly<Record<string, unknown>>>())),
    draftId: newer(v.optional(v.string())),
    subject: v.optional(v.string()),
    notificationCategoryName: v.optional(v.string()),
    themeId: newer(v.optional(v.nullable(v.union([v.literal(false), v.string()])))),
    isHighPriority: newer(v.optional(v.boolean())),
    scheduledAt: newer(v.optional(millis())),
  },
  returns: v.object({ results }),
  notOnPlatform: lacking(),
  prepare(_, input: SendEmailInput) {
    requireOne(input, receivers)
    requireOne(input, contents)
    if (input.variables !== undefined && input.templateId === undefined)
      throw misuse('variables', 'are for a template alone, not for html and drafts')
    return input as MutableEmailInput
  },
  refreshes: () => [mailsSent],
})

/** The input with lists that are not marked as unchangeable. */
type MutableEmailInput = Omit<SendEmailInput, 'userIds' | 'emails'> & {
  readonly userIds?: string[]
  readonly emails?: string[]
}

function requireOne(input: SendEmailInput, fields: readonly (keyof SendEmailInput)[]): void {
  const given = fields.filter(field => input[field] !== undefined)
  if (given.length === 1) return
  const [second, [first = 'input']] = [given[1], fields]
  const fault = second ? `excludes ${given[0] ?? ''}` : 'is missing'
  throw misuse(second ?? first, `${fault}: exactly one of ${fields.join(', ')} is needed`)
}

const counts = v.object({ sent: v.number(), bounced: v.number(), markedAsSpam: v.number() })

const emailDeliveryInfo = v.object({
  /** Mails of the last hour, day, week and month. */
  stats: v.object({ hour: counts, day: counts, week: counts, month: counts }),
  /** How fast the platform sends; the penalty for bounces and spam is a factor of it. */
  capacity: v.object({
    ratePerSecond: v.number(),
    boostMultiplier: v.number(),
    penaltyFactor: v.number(),
    isBoostActive: v.boolean(),
  }),
})

/** How the mails of a project arrive, and how fast the platform sends them. */
export interface EmailDeliveryInfo extends v.InferOutput<typeof emailDeliveryInfo> {}
export const EmailDeliveryInfo: Shape<EmailDeliveryInfo> = emailDeliveryInfo

/**
 * How the project's mails arrive. Throws NOT_ON_THIS_PLATFORM on release 2.8.18.
 *
 * @example
 * const { stats } = await emailDeliveryInfo$(server).get()
 */
export const emailDeliveryInfo$ = serverStore('GET /emails/delivery-info', {
  returns: EmailDeliveryInfo,
  notOnPlatform: lacking(404),
  follows: [mailsSent],
})
