import { fail, redirect } from '@sveltejs/kit'
import type { RequestEvent } from '@sveltejs/kit'
import { asUser } from '../../hooks.server'

type Field = 'email' | 'password' | 'returnTo'

export const load = ({ url }: RequestEvent) => ({ returnTo: url.searchParams.get('after_auth_return_to') ?? '/' })

export const actions = {
  async default(event: RequestEvent) {
    const fields = Object.fromEntries(await event.request.formData()) as Readonly<Record<Field, string>>
    const { email, password, returnTo } = fields
    const result = await asUser(event, own => own.signInWithPassword({ email, password }))
    if (!result.ok) return fail(400, { refused: true })
    // A path of this app: any link may have written it. Without a base path, `/docs//host` would be the address of a host.
    return redirect(303, /^(?![^?#]*[/\\\s]{2})\//.test(returnTo) ? returnTo : '/')
  },
}
