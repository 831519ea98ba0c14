import { PasswordInput } from '@mantine/core'
import type { PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { passwordLimits } from '../app/password-limits'

/** A password that can be shown; a new one has a hint about its length. */
export function PasswordField(props: PasswordInputProps): ReactNode {
  const [isVisible, setVisible] = useState(false)
  const isNew = props.autoComplete === 'new-password'
  return (
    <PasswordInput
      {...(isNew && { description: `At least ${passwordLimits.min} characters` })}
      withAsterisk={false}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{ 'aria-label': isVisible ? 'Hide password' : 'Show password', tabIndex: 0 }}
      {...props}
    />
  )
}
