'use server'
import { redirect } from 'next/navigation'
import { asUser, returnPath } from '../../auth'

type Field = 'email' | 'password' | 'returnTo'

export async function signIn(form: FormData) {
  const { email, password, returnTo } = Object.fromEntries(form) as Readonly<Record<Field, string>>
  const result = await asUser(own => own.signInWithPassword({ email, password }))
  if (!result.ok)
    redirect(`/sign-in?${String(new URLSearchParams({ after_auth_return_to: returnTo, refused: 'yes' }))}`)
  redirect(returnPath(returnTo))
}
