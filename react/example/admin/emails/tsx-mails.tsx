import { useState, type ReactNode } from 'react'
import { view, type Store } from 'rxauth'
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
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/dialog'
import { required } from '../../ui/form'
import { Row, StoreList } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { SettingsForm } from '../../ui/settings-form'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { Outbox } from './outbox'

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
        update={(id, tsxSource) => updateTsxEmailTemplate(app, { emailTemplateId: id, tsxSource })}
        remove={id => deleteTsxEmailTemplate(app, { emailTemplateId: id })}
      />
      <SourceList
        title="Themes"
        description="The frame of every mail, written in TSX."
        store={emailThemes$(app)}
        create={displayName => createEmailTheme(app, { displayName })}
        open={id => emailTheme$(app, { emailThemeId: id })}
        update={(id, tsxSource) => updateEmailTheme(app, { emailThemeId: id, tsxSource })}
        remove={id => deleteEmailTheme(app, { emailThemeId: id })}
      />
      <SourceList
        title="Drafts"
        description="Mails that you write and send once."
        store={emailDrafts$(app)}
        create={displayName => createEmailDraft(app, { displayName })}
        update={(id, tsxSource) => updateEmailDraft(app, { emailDraftId: id, tsxSource })}
        remove={id => deleteEmailDraft(app, { emailDraftId: id })}
        beside={({ id, displayName, sentAt }) =>
          sentAt ? (
            <StatusBadge>Sent</StatusBadge>
          ) : (
            <ConfirmButton
              label="Send"
              aria-label={`Send ${displayName}`}
              question={`Send ${displayName} to all users?`}
              consequence="The mail goes to every user of the project who has not unsubscribed."
              answer="Send"
              run={() => app.sendEmail({ allUsers: true, draftId: id })}
            />
          )
        }
      />
      <Outbox />
      <p className="fine dim">
        A local platform does not run the code of templates. It shows elements, texts and the names of variables.
      </p>
    </>
  )
}

interface NamedSource {
  readonly id: string
  readonly displayName: string
  /** Absent in a list that is without sources. */
  readonly tsxSource?: string
}

interface Props<T extends NamedSource> {
  /** In the plural. */
  readonly title: string
  readonly description: string
  readonly store: Store<readonly T[]>
  readonly create: (displayName: string) => Promise<unknown>
  /** The source of one, if the list is without them. */
  readonly open?: (id: string) => Store<{ readonly tsxSource: string } | null>
  readonly update: (id: string, tsxSource: string) => Promise<unknown>
  readonly remove: (id: string) => Promise<unknown>
  /** Beside the name. */
  readonly beside?: (row: T) => ReactNode
}

/** Templates, themes or drafts: a list whose rows open, and a form for a new one. */
function SourceList<T extends NamedSource>(props: Props<T>): ReactNode {
  const { title, description, store, create, open, update, remove, beside } = props
  const [openId, setOpenId] = useState<string>()
  return (
    <Section title={title} description={description}>
      <StoreList store={store} label={title} empty="There are none yet.">
        {row => {
          const { id, displayName, tsxSource = '' } = row
          const isOpen = id === openId
          // The platform says why a source cannot be rendered.
          const edit = (source: string) => (
            <SettingsForm
              label={displayName}
              submit="Save"
              initial={{ source }}
              settings={[
                {
                  name: 'source',
                  'aria-label': `Source of ${displayName}`,
                  className: 'source',
                  rows: 6,
                  spellCheck: false,
                  type: 'exact',
                },
              ]}
              save={changed => update(id, changed.source)}
            />
          )
          return (
            <Row
              key={id}
              title={displayName}
              action={
                <div className="auth-row snug actions">
                  {beside?.(row)}
                  <Button
                    label="Edit"
                    kind="plain"
                    isSmall
                    aria-expanded={isOpen}
                    aria-label={`Edit ${displayName}`}
                    onClick={() => setOpenId(isOpen ? undefined : id)}
                  />
                  <ConfirmButton
                    label="Delete"
                    aria-label={`Delete ${displayName}`}
                    question={`Delete ${displayName}?`}
                    consequence="This cannot be undone. Mails that have been sent are not affected."
                    answer="Delete"
                    run={() => remove(id)}
                  />
                </div>
              }
            >
              {isOpen && !open && edit(tsxSource)}
              {isOpen && open && (
                <WithStore store={open(id)} label={displayName}>
                  {found => found && edit(found.tsxSource)}
                </WithStore>
              )}
            </Row>
          )
        }}
      </StoreList>
      <SettingsForm
        label={`New in ${title}`}
        submit="Create"
        initial={{ name: '' }}
        settings={[
          {
            name: 'name',
            'aria-label': `Name of a new entry in ${title}`,
            className: 'narrow',
            placeholder: 'Name',
            validate: required('Enter a name.'),
          },
        ]}
        save={({ name }) => create(name)}
      />
    </Section>
  )
}
