import { useId, useLayoutEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useWords } from '../words/use-words'
import { isRefused, Problem } from './alert'
import { Button } from './button'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** Only its own button closes it, not a click outside or the Escape key. */
  readonly isStubborn?: boolean | undefined
  readonly children: ReactNode
}

/** A modal dialog above the page. What it contains starts anew each time it opens. */
export function Dialog({ isOpen, ...rest }: Props): ReactNode {
  return isOpen && <OpenDialog {...rest} />
}

function OpenDialog({ onClose, title, isStubborn = false, children }: Omit<Props, 'isOpen'>): ReactNode {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    if (!shown) return
    shown.showModal()
    shown.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      // Gives the focus back to the button that has opened it, or to the heading if both disappear with their row.
      shown.close()
      const opener = document.activeElement
      queueMicrotask(() => {
        if (!opener?.isConnected) document.querySelector('h1')?.focus({ preventScroll: true })
      })
    }
  }, [])
  return (
    <div className="auth contents">
      <dialog
        ref={dialog}
        aria-labelledby={id}
        {...{ closedby: isStubborn ? 'none' : 'any' }}
        onClose={({ target, currentTarget: shown }) => {
          if (target !== shown || shown.open) return
          // A browser that does not know `closedby` closes any dialog by the Escape key.
          if (isStubborn) shown.showModal()
          else onClose()
        }}
      >
        <div className="auth-stack">
          <h2 id={id}>{title}</h2>
          {children}
        </div>
      </dialog>
    </div>
  )
}

/** Whether a dialog is open, and what opens and closes it. */
export function useOpen(isOpenAtFirst = false): readonly [boolean, { open: () => void; close: () => void }] {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return [isOpen, { open: () => setOpen(true), close: () => setOpen(false) }]
}

interface DialogButtonProps extends Omit<ComponentProps<typeof Button>, 'children' | 'onClick' | 'title'> {
  /** The label of the button. */
  readonly label: string
  /** The title of the dialog, if it is not the label. */
  readonly title?: string
  /** Only its own buttons close the dialog. */
  readonly isStubborn?: boolean | undefined
  /** The content of the dialog, which starts anew each time it opens. */
  readonly children: (close: () => void) => ReactNode
}

/** A button that opens a dialog. */
export function DialogButton({ label, title = label, isStubborn, children, ...button }: DialogButtonProps): ReactNode {
  const [isOpen, { open, close }] = useOpen()
  return (
    <>
      <Button label={label} {...button} onClick={open} />
      <Dialog isOpen={isOpen} onClose={close} title={title} isStubborn={isStubborn}>
        {children(close)}
      </Dialog>
    </>
  )
}

/** The question before an action that cannot be undone. */
export interface Question {
  readonly question: string
  /** The result of the action, and that it cannot be undone. */
  readonly consequence: ReactNode
  /** The label of the confirming button. */
  readonly answer: string
  readonly run: () => Promise<unknown>
}

interface ConfirmationProps extends Omit<Question, 'question'> {
  readonly close: () => void
}

/** The content of the dialog that asks. It stays open with the reason if the action fails. */
export function Confirmation({ consequence, answer, run, close }: ConfirmationProps): ReactNode {
  const { ui } = useWords()
  const action = useAction(async () => {
    const result = await run()
    if (!isRefused(result)) close()
    return result
  })
  return (
    <>
      <p className="breakable">{consequence}</p>
      <Problem of={action} />
      <div className="auth-row end">
        <Button label={ui.cancel} kind="plain" onClick={close} data-autofocus />
        <Button label={answer} kind="danger" does={action} />
      </div>
    </>
  )
}

interface ConfirmButtonProps extends Question {
  /** The label of the button. */
  readonly label: string
  /** The accessible name, if the label alone is too short, as in a list, where the button is small. */
  readonly 'aria-label'?: string
  readonly kind?: 'plain' | 'quiet' | 'danger'
  readonly isSmall?: boolean
}

/** A button that asks before an action that cannot be undone. */
export function ConfirmButton({ question, consequence, answer, run, ...button }: ConfirmButtonProps): ReactNode {
  return (
    <DialogButton kind="plain" isSmall={button['aria-label'] !== undefined} {...button} title={question}>
      {close => <Confirmation close={close} consequence={consequence} answer={answer} run={run} />}
    </DialogButton>
  )
}
