import { Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
}

/** A matter of its own above the page, which waits until it is settled. */
export function Dialog({ isOpen, onClose, title, children }: Props): ReactNode {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} centered>
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
