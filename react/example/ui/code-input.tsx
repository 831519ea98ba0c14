import { useId, useRef, useState } from 'react'
import type { ChangeEvent, ClipboardEvent, KeyboardEvent, ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { useAction } from 'rxauth/react'
import { problemOf } from './alert'
import { FieldError } from './field'
import { useWords } from '../words/use-words'

interface Props {
  readonly label: string
  readonly kind: 'digits' | 'characters'
  /** Called when all six are entered. */
  readonly onComplete: (
    code: string,
  ) => Promise<{ readonly ok: true } | { readonly ok: false; readonly error: AnyAuthError }>
}

const length = 6

/** Six boxes for a code of a mail or an authenticator, which can be pasted into any of them. A code that was refused, or not sent, is cleared. */
export function CodeInput({ label, kind, onComplete }: Props): ReactNode {
  const words = useWords()
  const id = useId()
  const boxes = useRef<HTMLDivElement>(null)
  const [code, setCode] = useState('')
  const focus = (index: number) => boxes.current?.querySelectorAll('input')[Math.min(index, length - 1)]?.focus()
  const enter = useAction(async (text: string) => {
    let result
    try {
      result = await onComplete(text)
      return result
    } finally {
      if (!result?.ok) {
        setCode('')
        focus(0)
      }
    }
  })
  const problem = problemOf(enter, words)
  const isBusy = enter.status === 'running'

  /** Puts the text into the boxes from this one on. */
  const put = (box: number, text: string) => {
    const typed = text.replace(kind === 'digits' ? /\D/g : /[^a-z\d]/gi, '')
    if (isBusy || (typed === '' && text !== '')) return
    // No box stays empty before it.
    const index = Math.min(box, code.length)
    const next = (code.slice(0, index) + typed + code.slice(index + Math.max(typed.length, 1))).slice(0, length)
    setCode(next)
    if (next !== '' && enter.status === 'failed') enter.reset()
    focus(index + typed.length)
    if (next.length === length && next !== code) void enter.run(next)
  }
  const step = (event: KeyboardEvent<HTMLInputElement>, index: number) => {
    if (event.key === 'ArrowLeft') focus(Math.max(index - 1, 0))
    else if (event.key === 'ArrowRight') focus(index + 1)
    else if (event.key === 'Backspace' && event.currentTarget.value === '' && index > 0) {
      put(index - 1, '')
      focus(index - 1)
    } else return
    event.preventDefault()
  }
  const paste = (event: ClipboardEvent, index: number) => {
    event.preventDefault()
    put(index, event.clipboardData.getData('text'))
  }
  return (
    <div className="auth-stack snug middle">
      <span id={id} className="strong">
        {label}
      </span>
      <div
        ref={boxes}
        className="code-boxes"
        dir="ltr"
        role="group"
        aria-labelledby={id}
        aria-describedby={problem && `${id}-error`}
      >
        {Array.from({ length }, (_, index) => (
          <input
            key={index}
            className="auth-input"
            aria-label={words.ui.box(label, index + 1, length)}
            aria-invalid={problem !== undefined}
            inputMode={kind === 'digits' ? 'numeric' : 'text'}
            autoCapitalize="off"
            // The browser offers a code of a message at the first box, and puts all of it there.
            autoComplete={index === 0 ? 'one-time-code' : 'off'}
            autoFocus={index === 0}
            readOnly={isBusy}
            value={code[index] ?? ''}
            onFocus={event => event.currentTarget.select()}
            onKeyDown={event => step(event, index)}
            onPaste={event => paste(event, index)}
            onChange={(event: ChangeEvent<HTMLInputElement>) => put(index, event.currentTarget.value)}
          />
        ))}
      </div>
      {isBusy && <span className="spinner" role="status" aria-label={words.ui.checkingCode} />}
      <FieldError id={id}>{problem}</FieldError>
    </div>
  )
}
