import { Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** Only its own button closes it, not a click outside or the Escape key. */
  readonly isStubborn?: boolean
  readonly children: ReactNode
}

/** A modal dialog above the page. */
export function Dialog({ isOpen, onClose, title, isStubborn = false, children }: Props): ReactNode {
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      closeOnClickOutside={!isStubborn}
      closeOnEscape={!isStubborn}
      centered
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p="lg">
          <Stack>
            {/* Not in a header, which would be a second banner beside that of the page. */}
            <Modal.Title fw={600}>{title}</Modal.Title>
            {children}
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
