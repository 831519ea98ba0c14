import { Input, Loader, PinInput, Stack } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { useAction } from 'rxauth/react'
import { problemOf } from './problem'

interface Props {
  readonly label: string
  readonly kind: 'digits' | 'characters'
  /** Called when all six are entered. */
  readonly onComplete: (
    code: string,
  ) => Promise<{ readonly ok: true } | { readonly ok: false; readonly error: AnyAuthError }>
}

const length = 6

/** A field for six characters of a mail or an authenticator. A refused code is cleared. */
export function CodeInput({ label, kind, onComplete }: Props): ReactNode {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const [value, setValue] = useState('')
  const enter = useAction(async (code: string) => {
    const result = await onComplete(code)
    if (!result.ok) {
      setValue('')
      first.current?.focus()
    }
    return result
  })
  const problem = problemOf(enter)
  const isBusy = enter.status === 'running'
  return (
    <Stack gap={8} align="center">
      <Input.Label component="span" id={id} size="sm">
        {label}
      </Input.Label>
      <PinInput
        ref={first}
        role="group"
        aria-labelledby={id}
        length={length}
        type={kind === 'digits' ? 'number' : 'alphanumeric'}
        inputMode={kind === 'digits' ? 'numeric' : 'text'}
        size="md"
        gap={6}
        placeholder=""
        autoFocus
        oneTimeCode
        value={value}
        error={problem !== undefined}
        readOnly={isBusy}
        getInputProps={index => ({ 'aria-label': `${label}: ${index + 1} of ${length}` })}
        onChange={text => {
          setValue(text)
          if (text !== '' && enter.status === 'failed') enter.reset()
        }}
        onComplete={code => void enter.run(code).catch(() => undefined)}
      />
      {isBusy && <Loader size="xs" aria-label="Checking the code" />}
      {problem !== undefined && <Input.Error role="alert">{problem}</Input.Error>}
    </Stack>
  )
}
