import { Suspense } from 'react'
import { asUser, requireUser } from '../../auth'
import { rename, signOut } from './actions'
import { Initials } from './initials'

export default async function Account() {
  const user = await requireUser()
  return (
    <>
      <h1>Hello {user.displayName ?? user.primaryEmail}</h1>
      <Suspense fallback={<p>Teams …</p>}>
        <Teams />
      </Suspense>
      <form action={rename}>
        <input name="name" placeholder="New name" />
        <button>Rename</button>
      </form>
      <Initials />
      <form action={signOut}>
        <button>Sign out here</button>
      </form>
    </>
  )
}

async function Teams() {
  const teams = await asUser(own => own.teams$.get())
  return <p>Teams: {teams.map(({ displayName }) => displayName).join(', ')}</p>
}
