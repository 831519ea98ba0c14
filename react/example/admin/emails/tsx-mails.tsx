import type { ReactNode } from 'react'
import { view } from 'rxauth'
import {
  createEmailDraft,
  createEmailTheme,
  createTsxEmailTemplate,
  deleteEmailDraft,
  deleteEmailTheme,
  deleteTsxEmailTemplate,
  emailDrafts$,
  emailTemplates$,
  emailTheme$,
  emailThemes$,
  updateEmailDraft,
  updateEmailTheme,
  updateTsxEmailTemplate,
} from 'rxauth/admin'
import { ConfirmButton } from '../../ui/confirm-button'
import { StatusBadge } from '../../ui/status-badge'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { Outbox } from './outbox'
import { SourceEditor, SourceList } from './source-list'

const templates$ = view(emailTemplates$, all => all.filter(template => template.source === 'tsx'))

/** Templates, drafts and themes of owners on a release of 2026, and the mails that wait or have gone. */
export function TsxMails(): ReactNode {
  const { app } = useProject()
  return (
    <>
      <SourceList
        title="Templates"
        description="Mails that your backend sends by name, written in TSX."
        store={templates$(app)}
        create={displayName => createTsxEmailTemplate(app, { displayName })}
        remove={({ id }) => deleteTsxEmailTemplate(app, { emailTemplateId: id })}
      >
        {({ id, displayName, tsxSource }) => (
          <SourceEditor
            label={displayName}
            source={tsxSource}
            save={source => updateTsxEmailTemplate(app, { emailTemplateId: id, tsxSource: source })}
          />
        )}
      </SourceList>
      <SourceList
        title="Themes"
        description="The frame of every mail, written in TSX."
        store={emailThemes$(app)}
        create={displayName => createEmailTheme(app, { displayName })}
        remove={({ id }) => deleteEmailTheme(app, { emailThemeId: id })}
      >
        {({ id, displayName }) => (
          <WithStore store={emailTheme$(app, { emailThemeId: id })} label={displayName}>
            {theme =>
              theme && (
                <SourceEditor
                  label={displayName}
                  source={theme.tsxSource}
                  save={source => updateEmailTheme(app, { emailThemeId: id, tsxSource: source })}
                />
              )
            }
          </WithStore>
        )}
      </SourceList>
      <SourceList
        title="Drafts"
        description="Mails that you write and send once."
        store={emailDrafts$(app)}
        create={displayName => createEmailDraft(app, { displayName })}
        remove={({ id }) => deleteEmailDraft(app, { emailDraftId: id })}
        beside={({ id, displayName, sentAt }) =>
          sentAt ? (
            <StatusBadge>Sent</StatusBadge>
          ) : (
            <ConfirmButton
              isSmall
              aria-label={`Send ${displayName}`}
              question={`Send ${displayName} to all users?`}
              consequence="The mail goes to every user of the project who has not unsubscribed."
              answer="Send"
              run={() => app.sendEmail({ allUsers: true, draftId: id })}
            >
              Send
            </ConfirmButton>
          )
        }
      >
        {({ id, displayName, tsxSource }) => (
          <SourceEditor
            label={displayName}
            source={tsxSource}
            save={source => updateEmailDraft(app, { emailDraftId: id, tsxSource: source })}
          />
        )}
      </SourceList>
      <Outbox />
      <p className="fine dim">
        A local platform does not run the code of templates. It shows elements, texts and the names of variables.
      </p>
    </>
  )
}
