import { Suspense } from 'react'
import { Await, Form, redirect, useLoaderData } from 'react-router'
import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router'
import { asUser, guard } from '../server.server'

export async function loader(args: LoaderFunctionArgs) {
  const user = await guard(args, { signedIn: true })
  const teams = asUser(args.request, own => own.teams$.get())
  return { name: user.displayName ?? user.primaryEmail, teams }
}

export async function action({ request }: ActionFunctionArgs) {
  await asUser(request, own => own.signOut())
  return redirect('/')
}

export default function Account() {
  const { name, teams } = useLoaderData<typeof loader>()
  return (
    <>
      <h1>Hello {name}</h1>
      <Suspense fallback={<p>Teams …</p>}>
        <Await resolve={teams}>{teams => <p>Teams: {teams.map(({ displayName }) => displayName).join(', ')}</p>}</Await>
      </Suspense>
      <Form method="post">
        <button>Sign out here</button>
      </Form>
    </>
  )
}
