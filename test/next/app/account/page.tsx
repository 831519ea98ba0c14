import Link from 'next/link'
import { asUser } from '../as-user'
import { rename } from './rename'

export default async function Account() {
  const user = await asUser(own => own.user$.get())
  if (!user) return <Link href="/">Sign in first</Link>
  return (
    <>
      <h1>Hello {user.displayName ?? user.primaryEmail}</h1>
      <form action={rename}>
        <input name="name" placeholder="New name" />
        <button>Rename</button>
      </form>
    </>
  )
}
