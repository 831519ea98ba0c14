import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm-button'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { required } from '../../ui/use-form'
import { SettingsForm } from '../settings-form'

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
export function SourceList<T extends NamedSource>(props: Props<T>): ReactNode {
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
                    aria-label={`Delete ${displayName}`}
                    question={`Delete ${displayName}?`}
                    consequence="This cannot be undone. Mails that have been sent are not affected."
                    answer="Delete"
                    run={() => remove(row)}
                  >
                    Delete
                  </ConfirmButton>
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
export function SourceEditor({ label, source, save }: EditorProps): ReactNode {
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
