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
    // A path of this app: the address of the form may come from any link.
    return redirect(303, /^\/(?![/\\\s])/.test(returnTo) ? returnTo : '/')
  },
}
