import { hostsBelow } from '../navigation/hostile-texts'
import { readExamples, run } from './blocks'

/** The action of a form: it gets what the framework gives it, and answers or throws with the address to go to. */
type Act = (event: { readonly request: Request }) => Promise<Response>

const forms: Readonly<Record<string, readonly [file: string, (exported: never) => Act]>> = {
  'docs/guides/react-router.md': ['app/routes/sign-in.tsx', ({ action }: { readonly action: Act }) => action],
  'docs/guides/sveltekit.md': [
    'src/routes/sign-in/+page.server.ts',
    ({ actions }: { readonly actions: { readonly default: Act } }) => actions.default,
  ],
}

describe.each(Object.entries(forms))('the form of %s', (guide, [file, actOf]) => {
  /** Where the browser goes after a sign-in by the form. */
  async function goesTo(returnTo: string): Promise<string> {
    const exported = {}
    const asUser = () => Promise.resolve({ ok: true })
    const load = (name: string): unknown => (name.startsWith('.') ? { asUser } : jest.requireActual(name))
    await run(
      readExamples(guide).find(example => example.file === file)!,
      load,
      exported,
    )
    const body = new FormData()
    for (const [name, value] of Object.entries({ email: 'a@example.com', password: 'a', returnTo }))
      body.set(name, value)
    const request = new Request('https://app.example.com/docs/sign-in', { method: 'POST', body })
    const went: unknown = await actOf(exported as never)({ request }).catch((thrown: unknown) => thrown)
    return went instanceof Response ? went.headers.get('location')! : (went as { readonly location: string }).location
  }

  it.each(['/account', '/docs/account?at=https://b.example//c#d', '/', '/%2F%2Fevil.example', '/a/../b'])(
    'goes on to %s',
    async returnTo => {
      expect(await goesTo(returnTo)).toBe(returnTo)
    },
  )

  it.each([
    ...['//evil.example', '/\\evil.example', '/\t/evil.example', 'https://evil.example', 'javascript:alert(1)', ''],
    // A router that cuts its base path off would lead to a host.
    ...hostsBelow('/docs'),
  ])('goes on to no host by %j', async returnTo => {
    expect(await goesTo(returnTo)).toBe('/')
  })
})
