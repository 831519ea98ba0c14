'use server'
import { refresh } from 'next/cache'
import { asUser, goTo } from '../../auth'

export async function rename(form: FormData) {
  const displayName = form.get('name')
  if (typeof displayName !== 'string') return
  await asUser(own => own.updateUser({ displayName }))
  refresh()
}

export async function signOut() {
  await asUser(own => own.signOut())
  return goTo('/')
}
