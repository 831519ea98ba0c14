import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { adminStore, adminWrite, lacking, lenient, millis, patch, type Shape } from '../declare'
import { missingRows, both, changeBoth, removeBoth } from '../rows'
import { mailsSent } from '../emails/shape'
import { orUnlisted } from '../otherwise'
import { givenThemeId, otherThemeId, savedThemeId } from '../email-templates/shape'

const emailDraft = v.object({
  id: v.string(),
  displayName: v.string(),
  /** A module that exports a React component of the mail; it may be incomplete. */
  tsxSource: v.string(),
  /** Null: the project's theme; false: none. */
  themeId: savedThemeId(),
  /** Null: not yet. */
  sentAt: v.optional(v.nullable(millis()), null),
})

/** A mail that an owner is writing; `sendEmail` sends it by its id. */
export interface EmailDraft extends v.InferOutput<typeof emailDraft> {}
export const EmailDraft: Shape<EmailDraft> = emailDraft

/**
 * The drafts of mails, sent ones too, the one that was changed last first. Throws NOT_ON_THIS_PLATFORM on release 2.8.18, as all of these calls do.
 *
 * @example
 * const drafts = await emailDrafts$(admin).get()
 */
export const emailDrafts$ = adminStore('GET /internal/email-drafts', {
  returns: lenient(
    v.pipe(
      v.object({ drafts: v.array(EmailDraft) }),
      v.transform(({ drafts }) => drafts),
    ),
  ),
  notOnPlatform: lacking(404),
  follows: [mailsSent],
})

/**
 * One draft; null if there is none with this id.
 *
 * @example
 * const draft = await emailDraft$(admin, { emailDraftId: 'draft-1' }).get()
 */
export const emailDraft$ = orUnlisted(
  adminStore('GET /internal/email-drafts/{emailDraftId}', { returns: EmailDraft, follows: [mailsSent] }),
  emailDrafts$,
)

const drafts = [emailDrafts$, emailDraft$] as const

/**
 * Creates a draft; without `tsxSource` it has a first content of the platform's.
 *
 * @example
 * const { id } = await createEmailDraft(admin, { displayName: 'Launch', themeId: false })
 */
export const createEmailDraft = adminWrite('POST /internal/email-drafts', {
  body: { displayName: v.string(), themeId: givenThemeId(), tsxSource: v.optional(v.string()) },
  returns: v.object({ id: v.string() }),
  notOnPlatform: lacking(404),
  refreshes: () => [emailDrafts$],
})

const { changeIsDone, deletionIsDone } = missingRows<'emailDraftId', {}>(emailDrafts$, 'emailDraftId')

/**
 * Changes a draft; fields left out stay. The source is not checked until the draft is sent. The platform refuses null for `themeId`.
 *
 * @example
 * await updateEmailDraft(admin, { emailDraftId: 'draft-1', displayName: 'Launch in May' })
 */
export const updateEmailDraft = adminWrite('PATCH /internal/email-drafts/{emailDraftId}', {
  body: { displayName: v.optional(v.string()), themeId: otherThemeId(), tsxSource: v.optional(v.string()) },
  notOnPlatform: lacking(404),
  done: changeIsDone,
  refreshes: ({ emailDraftId }) => both(drafts, {}, { emailDraftId }),
  writes: changed,
  optimistic: changed,
})

function changed({ emailDraftId, ...changes }: { readonly emailDraftId: string } & EmailDraftChanges) {
  const isChanged = ({ id }: EmailDraft) => id === emailDraftId
  const [inList, inItem] = changeBoth(drafts, {}, { emailDraftId }, emailDraftId, draft => ({
    ...draft,
    ...presentIn(changes),
  }))
  // The platform lists the draft that was changed last first.
  const toFront = patch(emailDrafts$, {}, all => [...all].sort((one, other) => +isChanged(other) - +isChanged(one)))
  return [inList, toFront, inItem]
}

/** Changes for `updateEmailDraft`. */
export interface EmailDraftChanges {
  readonly displayName?: string | undefined
  readonly themeId?: string | false | undefined
  readonly tsxSource?: string | undefined
}

/**
 * Deletes a draft; one that is already gone counts as done. A mail that was sent from it stays.
 *
 * @example
 * await deleteEmailDraft(admin, { emailDraftId: 'draft-1' })
 */
export const deleteEmailDraft = adminWrite('DELETE /internal/email-drafts/{emailDraftId}', {
  notOnPlatform: lacking(404),
  done: deletionIsDone,
  refreshes: ({ emailDraftId }) => both(drafts, {}, { emailDraftId }),
  writes: ({ emailDraftId }) => removeBoth(drafts, {}, { emailDraftId }, emailDraftId),
})
