import { useState } from 'react'
import type { ReactNode } from 'react'
import { FirstStep } from './first-step'
import type { Methods } from './methods'
import { PasswordStep } from './password-step'

interface Props {
  readonly methods: Methods
  readonly hasGuests: boolean
}

/** One step at a time: the address, then its password. */
export function SignInSteps({ methods, hasGuests }: Props): ReactNode {
  const [address, setAddress] = useState('')
  const [step, setStep] = useState<'address' | 'password'>('address')
  if (step === 'password') return <PasswordStep email={address} methods={methods} onBack={() => setStep('address')} />
  return (
    <FirstStep
      methods={methods}
      hasGuests={hasGuests}
      address={address}
      onAddress={email => {
        setAddress(email)
        setStep('password')
      }}
    />
  )
}
