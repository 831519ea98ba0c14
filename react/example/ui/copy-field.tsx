import { useEffect, useState, type ReactNode } from 'react'
import { Button } from './button'
import { useWords } from '../words/use-words'

interface Props {
  readonly value: string
  /** The name of the text, for screen readers. */
  readonly label: string
  /** Its button takes the focus when it appears. */
  readonly autoFocus?: boolean
}

/** A text to copy. */
export function CopyField({ value, label, autoFocus = false }: Props): ReactNode {
  const { ui } = useWords()
  return (
    <div className="auth-row snug oneline">
      <code className="copied" aria-label={label}>
        {value}
      </code>
      <CopyButton label={ui.copy} value={value} name={ui.copyOf(label)} autoFocus={autoFocus} />
    </div>
  )
}

interface CopyButtonProps {
  readonly value: string
  readonly autoFocus?: boolean
  /** The accessible name, if the label alone is too short. */
  readonly name?: string
  readonly label: string
}

export function CopyButton({ value, label, name, autoFocus }: CopyButtonProps): ReactNode {
  const { ui } = useWords()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <Button
      label={<span aria-live="polite">{isCopied ? ui.copied : label}</span>}
      kind="plain"
      isSmall
      autoFocus={autoFocus}
      aria-label={name}
      // The text beside the button can be selected where the browser forbids this.
      onClick={() =>
        void navigator.clipboard.writeText(value).then(
          () => setCopied(true),
          () => undefined,
        )
      }
    />
  )
}
