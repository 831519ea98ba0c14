import * as v from 'valibot'
import { endpoint, items, json, lacking, lenient, type Shape } from '../declare'

const themeId = v.union([v.literal(false), v.string()])

/** The theme of a mail to be sent or saved: an id, null for the project's theme, false for none. */
export function givenThemeId() {
  return v.optional(v.nullable(themeId))
}

/** The theme for a change. The platform refuses null, so a template cannot follow the project's theme again. */
export function otherThemeId() {
  return v.optional(themeId)
}

/** The theme of a mail as the platform has it; null also where it leaves the field out. */
export function savedThemeId() {
  return v.optional(v.nullable(themeId), null)
}

const templateTypes = [
  'email_verification',
  'password_reset',
  'magic_link',
  'team_invitation',
  'sign_in_invitation',
] as const

/** The mails that the platform sends by itself. */
export type EmailTemplateType = (typeof templateTypes)[number]

const classicEmailTemplate = v.object({
  type: v.picklist(templateTypes),
  /** May contain variables: `{{ projectDisplayName }}`. */
  subject: v.string(),
  /** A document of editor blocks by id; the block `root` has the type EmailLayout. */
  content: json(),
  isDefault: v.boolean(),
})

/** A mail that the platform sends by itself, on release 2.8.18; `isDefault: false` if the project has its own version. */
export interface ClassicEmailTemplate extends v.InferOutput<typeof classicEmailTemplate> {
  readonly source: 'classic'
}
export const ClassicEmailTemplate: Shape<ClassicEmailTemplate> = v.pipe(
  classicEmailTemplate,
  v.transform(template => ({ ...template, source: 'classic' as const })),
)

const tsxEmailTemplate = v.object({
  id: v.string(),
  displayName: v.string(),
  /** A module that exports a React component of the mail. */
  tsxSource: v.string(),
  /** Null: the project's theme; false: none. */
  themeId: savedThemeId(),
})

/** A template that the project has written in TSX, on newer releases. */
export interface TsxEmailTemplate extends v.InferOutput<typeof tsxEmailTemplate> {
  readonly source: 'tsx'
}
export const TsxEmailTemplate: Shape<TsxEmailTemplate> = v.pipe(
  tsxEmailTemplate,
  v.transform(template => ({ ...template, source: 'tsx' as const })),
)

/** A template of either era of the platform; one platform has templates of one era only. */
export type EmailTemplate = ClassicEmailTemplate | TsxEmailTemplate

export const classicTemplates = endpoint('GET /email-templates', {
  access: 'admin',
  returns: lenient(items(ClassicEmailTemplate)),
  notOnPlatform: lacking(404),
})

export const tsxTemplates = endpoint('GET /internal/email-templates', {
  access: 'admin',
  returns: lenient(
    v.pipe(
      v.object({ templates: v.array(TsxEmailTemplate) }),
      v.transform(({ templates }) => templates),
    ),
  ),
  notOnPlatform: lacking(404),
})
