import type { ReactNode } from 'react'
import { Button } from './button'
import { ConfirmDialog } from './confirm-dialog'
import type { Question } from './confirm-dialog'
import { useOpen } from './use-open'

interface Props extends Question {
  /** The label of the button. */
  readonly children: ReactNode
  /** The accessible name, if the label alone is too short, as in a list. */
  readonly 'aria-label'?: string
  readonly kind?: 'plain' | 'quiet' | 'danger'
  readonly isSmall?: boolean
}

/** A button that asks before an action that cannot be undone. */
export function ConfirmButton({ question, consequence, answer, run, ...button }: Props): ReactNode {
  const [isOpen, { open, close }] = useOpen()
  return (
    <>
      <Button kind="plain" {...button} onClick={open} />
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        question={question}
        consequence={consequence}
        answer={answer}
        run={run}
      />
    </>
  )
}
