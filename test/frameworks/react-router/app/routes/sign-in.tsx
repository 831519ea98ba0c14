import { Form, redirect, useActionData, useSearchParams } from 'react-router'
import type { ActionFunctionArgs } from 'react-router'
import { asUser } from '../server.server'

type Field = 'email' | 'password' | 'returnTo'

export async function action({ request }: ActionFunctionArgs) {
  const fields = Object.fromEntries(await request.formData()) as Readonly<Record<Field, string>>
  const { email, password, returnTo } = fields
  const result = await asUser(request, own => own.signInWithPassword({ email, password }))
  if (!result.ok) return { refused: true }
  // A path of this app: any link may have written it. Without a base path, `/docs//host` would be the address of a host.
  return redirect(/^(?![^?#]*[/\\\s]{2})\//.test(returnTo) ? returnTo : '/')
}

export default function SignIn() {
  const [search] = useSearchParams()
  const answer = useActionData<typeof action>()
  return (
    <Form method="post">
      <h1>Sign in</h1>
      <input type="hidden" name="returnTo" value={search.get('after_auth_return_to') ?? '/'} />
      <input type="email" name="email" placeholder="E-mail" autoComplete="username" />
      <input type="password" name="password" placeholder="Password" autoComplete="current-password" />
      <button>Sign in</button>
      {answer?.refused && <p role="alert">Wrong e-mail address or password.</p>}
    </Form>
  )
}
