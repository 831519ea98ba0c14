import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Button } from './button'
import { TextField } from './field'
import { problemOf } from './problem'
import { required, useForm } from './use-form'
import { useWords } from '../words/use-words'

interface Props {
  readonly label: string
  readonly value: string
  readonly autoComplete?: string
  /** The error for an empty name. */
  readonly emptyProblem?: string
  readonly save: (name: string) => Promise<unknown>
}

/** A name with a button that saves it. Every place with the name changes with the store. */
export function NameForm({ label, value, autoComplete = 'off', emptyProblem, save }: Props): ReactNode {
  const words = useWords()
  const form = useForm({
    initial: { name: value },
    validate: { name: emptyProblem === undefined ? () => null : required(emptyProblem) },
  })
  const rename = useAction(async (name: string) => {
    await save(name)
    // The typed text stays if this fails.
    form.settle()
  })
  const isSaved = rename.status === 'done' && !form.isChanged()
  return (
    <form aria-label={label} onSubmit={form.submit(({ name }) => void rename.run(name.trim()).catch(() => undefined))}>
      <TextField
        label={label}
        autoComplete={autoComplete}
        maxLength={100}
        {...form.field('name')}
        error={form.errors.name ?? problemOf(rename, words)}
        beside={
          <>
            <Button type="submit" isBusy={rename.status === 'running'}>
              {words.ui.save}
            </Button>
            {(rename.status === 'running' || isSaved) && (
              <p className="dim" role="status">
                {isSaved ? words.ui.saved : words.ui.saving}
              </p>
            )}
          </>
        }
      />
    </form>
  )
}
