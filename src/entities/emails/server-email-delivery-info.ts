import * as v from 'valibot'
import type { Shape } from '../../core/wire'
import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { mailsSent } from './shape-mails-sent'

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

/**
 * How the mails of a project arrive, and how fast the platform sends them.
 *
 * @example
 * const bounceRate = ({ stats }: EmailDeliveryInfo) => (stats.week.sent > 0 ? stats.week.bounced / stats.week.sent : 0)
 */
export interface EmailDeliveryInfo extends v.InferOutput<typeof emailDeliveryInfo> {}
export const EmailDeliveryInfo: Shape<EmailDeliveryInfo> = emailDeliveryInfo

/**
 * How the project's mails arrive. Throws NOT_ON_THIS_PLATFORM on release 2.8.18.
 *
 * @example
 * const { stats } = await emailDeliveryInfo$(server).get()
 */
export const emailDeliveryInfo$ = query(
  endpoint('GET /emails/delivery-info', {
    access: 'server',
    returns: EmailDeliveryInfo,
    notOnPlatform: lacking(404),
  }),
  { '~follows': [mailsSent] },
)
