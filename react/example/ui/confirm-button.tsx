import { Button } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ConfirmDialog } from './confirm-dialog'
import type { Question } from './confirm-dialog'

interface Props extends ButtonProps, Question {
  /** The label of the button. */
  readonly children: ReactNode
  /** The accessible name, if the label alone is too short, as in a list. */
  readonly 'aria-label'?: string
}

/** A button that asks before an action that cannot be undone. */
export function ConfirmButton({ children, question, consequence, answer, run, ...look }: Props): ReactNode {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" {...look} onClick={open}>
        {children}
      </Button>
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
