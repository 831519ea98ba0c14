import type { ReactNode } from 'react'
import { providerOf } from '../../sign-in/providers'
import { Section } from '../../ui/section'

/** One number, large. */
export function CountOf({ label, count }: { readonly label: string; readonly count: number }): ReactNode {
  return (
    <div className="auth-card" role="group" aria-label={label}>
      <p className="dim">{label}</p>
      <p className="large">{count}</p>
    </div>
  )
}

const methodNames: Readonly<Record<string, string>> = {
  password: 'Password',
  otp: 'E-mail',
  passkey: 'Passkey',
  other: 'Other',
}

interface MethodsProps {
  readonly methods: readonly { readonly method: string; readonly count: number }[]
}

/** The sign-in methods of users, most used first. */
export function LoginMethods({ methods }: MethodsProps): ReactNode {
  const bars = methods.map(({ method, count }) => ({ label: methodNames[method] ?? providerOf(method).name, count }))
  return (
    <Section title="Sign-in methods">
      {bars.length === 0 ? <p className="dim">No user has a sign-in method yet.</p> : <Bars bars={bars} />}
    </Section>
  )
}

interface CountriesProps {
  /** The number of users by two-letter country code. */
  readonly users: Readonly<Record<string, number>>
}

/** The countries of sign-ins, most users first; nothing if the platform has none. */
export function Countries({ users }: CountriesProps): ReactNode {
  const bars = Object.entries(users).map(([code, count]) => ({ label: countryOf(code), count }))
  if (bars.length === 0) return null
  return (
    <Section title="Countries">
      <Bars bars={bars} />
    </Section>
  )
}

const countryNames = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' })

/** The platform may send a text that is not a country code. */
function countryOf(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code
}

interface BarsProps {
  readonly bars: readonly { readonly label: string; readonly count: number }[]
}

/** Numbers with their parts of the largest one, which is first. */
function Bars({ bars }: BarsProps): ReactNode {
  const most = Math.max(...bars.map(({ count }) => count))
  const sorted = [...bars].sort((left, right) => right.count - left.count)
  return (
    <ul className="auth-stack snug">
      {sorted.map(({ label, count }) => (
        <li key={label}>
          <div className="auth-row between">
            <span>{label}</span>
            <span className="dim">{count}</span>
          </div>
          <div className="portion" style={{ width: `${(100 * count) / most}%` }} />
        </li>
      ))}
    </ul>
  )
}
