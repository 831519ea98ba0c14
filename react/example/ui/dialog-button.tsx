import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'
import { useOpen } from './use-open'

interface Props extends Omit<ComponentProps<typeof Button>, 'children' | 'onClick' | 'title'> {
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
export function DialogButton({ label, title = label, isStubborn, children, ...button }: Props): ReactNode {
  const [isOpen, { open, close }] = useOpen()
  return (
    <>
      <Button {...button} onClick={open}>
        {label}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={title} isStubborn={isStubborn}>
        {children(close)}
      </Dialog>
    </>
  )
}
