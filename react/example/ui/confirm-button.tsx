import { Button } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ConfirmDialog } from './confirm-dialog'
import type { Question } from './confirm-dialog'

interface Props extends ButtonProps, Question {
  /** What the button says. */
  readonly children: ReactNode
  /** Where what it says is too short to be understood alone, as in a list. */
  readonly 'aria-label'?: string
}

/** A button for something that cannot be undone: asks first. */
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
