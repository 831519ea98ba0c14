'use server'
import { refresh } from 'next/cache'
import { asUser } from '../as-user'

export async function rename(form: FormData) {
  const displayName = form.get('name')
  if (typeof displayName !== 'string') return
  await asUser(own => own.updateUser({ displayName }))
  refresh()
}
