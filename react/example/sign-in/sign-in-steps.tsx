import { useState } from 'react'
import type { ReactNode } from 'react'
import { FirstStep } from './first-step'
import type { Methods } from './methods'
import { PasswordStep } from './password-step'

/** One step at a time: the address, then its password. */
export function SignInSteps({ methods }: { readonly methods: Methods }): ReactNode {
  const [address, setAddress] = useState('')
  const [step, setStep] = useState<'address' | 'password'>('address')
  if (step === 'password') return <PasswordStep email={address} methods={methods} onBack={() => setStep('address')} />
  return (
    <FirstStep
      methods={methods}
      address={address}
      onAddress={email => {
        setAddress(email)
        setStep('password')
      }}
    />
  )
}
