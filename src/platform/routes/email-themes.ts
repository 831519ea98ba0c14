import * as v from 'valibot'
import {
  createEmailTheme,
  emailTheme$,
  emailThemes$,
  EmailThemeSummary,
  updateEmailTheme,
} from '../../entities/email-themes/admin'
import { endpoint } from '../../transport/endpoint'
import { serve } from '../http/serve'
import { isBuiltIn, requireRendered, requireTheme, tsxThemes } from '../mail/tsx-mail'
import { drawTheme, newTheme } from '../mail/tsx-template'
import { plain } from '../model/refusal'

// Written apart from the kit's declaration: no recording has the call.
const remove = endpoint('DELETE /internal/email-themes/{emailThemeId}', { access: 'admin' })

/** The newer release's themes in TSX: three that every project has, and its own. */
export const newerEmailThemeRoutes = [
  serve(emailThemes$, { answers: v.object({ themes: v.array(EmailThemeSummary) }) }, ({ engine }) => ({
    themes: [...tsxThemes(engine)],
  })),

  serve(createEmailTheme, {}, ({ engine: { tables }, input: { displayName } }) =>
    tables.tsxThemes.put({ id: crypto.randomUUID(), displayName, tsxSource: newTheme() }),
  ),

  serve(emailTheme$, { newer: { answers: { id: v.string() } } }, ({ engine, input: { emailThemeId } }) =>
    requireTheme(engine, emailThemeId),
  ),

  serve(updateEmailTheme, {}, async ({ engine, input: { emailThemeId, tsxSource } }) => {
    const theme = requireTheme(engine, emailThemeId)
    requireRendered(await drawTheme(tsxSource, ''))
    return engine.tables.tsxThemes.put({ ...theme, tsxSource })
  }),
]

/** Release 2.8.86 deletes no themes. */
export const laterEmailThemeRoutes = [
  serve(remove, {}, ({ engine, input: { emailThemeId } }) => {
    const { id } = requireTheme(engine, emailThemeId)
    if (isBuiltIn(id)) throw plain(400, 'The themes of the platform cannot be deleted.')
    engine.tables.tsxThemes.delete(id)
  }),
]
