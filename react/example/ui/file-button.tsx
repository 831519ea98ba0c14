import { useRef } from 'react'
import type { ReactNode } from 'react'
import { Button } from './button'

interface Props {
  /** The types of files, as an `input` takes them. */
  readonly accept: string
  /** The name of the hidden field. */
  readonly label?: string
  readonly isSmall?: boolean
  readonly isBusy?: boolean
  readonly onFile: (file: File) => void
  readonly children: ReactNode
}

/** A button that asks for a file. */
export function FileButton({ accept, label, onFile, ...button }: Props): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={event => {
          const [file] = event.currentTarget.files ?? []
          // The same file can be chosen once more.
          event.currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      <Button kind="plain" {...button} onClick={() => input.current?.click()} />
    </>
  )
}
