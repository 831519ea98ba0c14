'use server'
import { asUser, goTo, returnPath } from '../../auth'

type Field = 'email' | 'password' | 'returnTo'

export async function signIn(form: FormData) {
  const { email, password, returnTo } = Object.fromEntries(form) as Readonly<Record<Field, string>>
  const result = await asUser(own => own.signInWithPassword({ email, password }))
  if (!result.ok) {
    const query = new URLSearchParams({ after_auth_return_to: returnTo, refused: 'yes' })
    return goTo(`/sign-in?${query.toString()}`)
  }
  return goTo(returnPath(returnTo))
}
