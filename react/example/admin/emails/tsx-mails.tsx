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
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { SettingsForm } from '../settings-form'
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
              label="Send"
              aria-label={`Send ${displayName}`}
              question={`Send ${displayName} to all users?`}
              consequence="The mail goes to every user of the project who has not unsubscribed."
              answer="Send"
              run={() => app.sendEmail({ allUsers: true, draftId: id })}
            />
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

interface NamedSource {
  readonly id: string
  readonly displayName: string
}

interface Props<T extends NamedSource> {
  /** In the plural. */
  readonly title: string
  readonly description: string
  readonly store: Store<readonly T[]>
  readonly create: (displayName: string) => Promise<unknown>
  readonly remove: (row: T) => Promise<unknown>
  /** Beside the name. */
  readonly beside?: (row: T) => ReactNode
  /** Below the name, while the row is open. */
  readonly children: (row: T) => ReactNode
}

/** Templates, themes or drafts: a list whose rows open, and a form for a new one. */
function SourceList<T extends NamedSource>(props: Props<T>): ReactNode {
  const { title, description, store, create, remove, beside, children } = props
  const [openId, setOpenId] = useState<string>()
  return (
    <Section title={title} description={description}>
      <StoreList store={store} label={title} empty="There are none yet.">
        {row => {
          const { id, displayName } = row
          const isOpen = id === openId
          return (
            <Row
              key={id}
              title={displayName}
              action={
                <div className="auth-row snug actions">
                  {beside?.(row)}
                  <Button
                    kind="plain"
                    isSmall
                    aria-expanded={isOpen}
                    aria-label={`Edit ${displayName}`}
                    onClick={() => setOpenId(isOpen ? undefined : id)}
                  >
                    Edit
                  </Button>
                  <ConfirmButton
                    isSmall
                    label="Delete"
                    aria-label={`Delete ${displayName}`}
                    question={`Delete ${displayName}?`}
                    consequence="This cannot be undone. Mails that have been sent are not affected."
                    answer="Delete"
                    run={() => remove(row)}
                  />
                </div>
              }
            >
              {isOpen && children(row)}
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

interface EditorProps {
  /** The name of what is edited. */
  readonly label: string
  readonly source: string
  readonly save: (source: string) => Promise<unknown>
}

/** A source in TSX, with the platform's reason if it cannot be rendered. */
function SourceEditor({ label, source, save }: EditorProps): ReactNode {
  return (
    <SettingsForm
      label={label}
      submit="Save"
      initial={{ source }}
      settings={[
        {
          name: 'source',
          'aria-label': `Source of ${label}`,
          className: 'source',
          rows: 6,
          spellCheck: false,
          type: 'exact',
        },
      ]}
      save={values => save(values.source)}
    />
  )
}
