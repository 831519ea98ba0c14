import { useState, type ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useLocation } from 'wouter'
import { Button } from '../../ui/button'
import { Select, TextField } from '../../ui/field'
import { emailProblem, Form, required, useForm } from '../../ui/form'
import { ListOf } from '../../ui/rows'
import { PageHeading, Section } from '../../ui/section'
import { FormButton } from '../../ui/settings-form'
import { tell } from '../../ui/toasts'
import { useDebounced } from '../../ui/use-debounced'
import { WithStore } from '../../ui/with-store'
import { useWords } from '../../words/use-words'
import { useProject } from '../project/project-context'
import { UserPage } from './user-page'
import { UserRow } from './user-row'

/** The users of the project, or one of them. */
export function Users({ item }: { readonly item: string | undefined }): ReactNode {
  return item === undefined ? <UserList /> : <UserPage key={item} userId={item} />
}

function UserList(): ReactNode {
  const { app, base } = useProject()
  const [, goTo] = useLocation()
  const isEmail = emailProblem(useWords())
  return (
    <>
      <div className="auth-row between">
        <PageHeading title="Users" />
        <FormButton
          label="Create a user"
          submit="Create user"
          initial={{ primaryEmail: '', primaryEmailVerified: false, displayName: '', password: '' }}
          settings={[
            { name: 'primaryEmail', label: 'E-mail address', type: 'email', validate: isEmail },
            { name: 'primaryEmailVerified', label: 'The address is verified' },
            { name: 'displayName', label: 'Name', maxLength: 100 },
            {
              name: 'password',
              label: 'Password',
              hint: 'Optional. A user without a password signs in by e-mail.',
              type: 'password',
            },
          ]}
          save={async ({ displayName, password, ...email }) => {
            const result = await app.createUser({
              ...email,
              primaryEmailAuthEnabled: true,
              displayName: displayName || null,
              ...(password !== '' && { password }),
            })
            if (result.ok) goTo(`${base}/users/${result.value.id}`)
            return result
          }}
        />
      </div>
      <FoundUsers />
      <InviteForm />
    </>
  )
}

const limit = 20

/** The users to list, where the platform leaves some out. */
const kinds = {
  everyone: { label: 'Everyone', of: { includeAnonymous: true } },
  accounts: { label: 'Accounts', of: { includeRestricted: true } },
  guests: { label: 'Guests', of: { includeAnonymous: true, onlyAnonymous: true } },
}

interface Filter {
  readonly typed: string
  readonly order: string
  readonly shown: keyof typeof kinds
}

/** The users page by page, searchable by name, address or id. New users appear in the list. */
function FoundUsers(): ReactNode {
  const { app, project } = useProject()
  /** The cursors of the pages before this one. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const { values, field } = useForm<Filter>({
    initial: { typed: '', order: 'newest', shown: 'everyone' },
    onChange: () => setCursors([]),
  })
  // Without it every typed letter would send a request.
  const query = useDebounced(values.typed.trim(), 250)
  const cursor = cursors.at(-1)
  // Newer releases have no user count, and list guests and restricted users only on request; older ones refuse these
  // parameters.
  const isNewer = project.userCount === undefined
  const page$ = app.users$({
    limit,
    ...(isNewer && kinds[values.shown].of),
    orderBy: 'signedUpAt',
    desc: values.order === 'newest',
    ...(query !== '' && { query }),
    ...(cursor !== undefined && { cursor }),
  })
  return (
    <Section title="All users">
      <div className="auth-row bottom">
        <TextField
          className="grow"
          type="search"
          label="Search"
          placeholder="Name, e-mail address or id"
          {...field('typed')}
        />
        {isNewer && (
          <Select
            label="Show"
            options={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
            {...field('shown')}
          />
        )}
        <Select
          label="Order"
          options={[
            { value: 'newest', label: 'Newest first' },
            { value: 'oldest', label: 'Oldest first' },
          ]}
          {...field('order')}
        />
      </div>
      <WithStore store={page$} label="Users">
        {({ items, nextCursor }) => (
          <>
            <ListOf
              label="Users"
              items={items}
              empty={query === '' ? 'There are no users yet.' : `No user matches “${query}”.`}
            >
              {user => <UserRow key={user.id} user={user} />}
            </ListOf>
            <nav className="auth-row between oneline snug" aria-label="Pages">
              <Button
                label="Previous page"
                kind="plain"
                isSmall
                disabled={cursors.length === 0}
                onClick={() => setCursors(cursors.slice(0, -1))}
              />
              <p className="dim">Page {cursors.length + 1}</p>
              <Button
                label="Next page"
                kind="plain"
                isSmall
                disabled={nextCursor === null}
                onClick={() => nextCursor !== null && setCursors([...cursors, nextCursor])}
              />
            </nav>
          </>
        )}
      </WithStore>
    </Section>
  )
}

interface Values {
  readonly email: string
  readonly callbackUrl: string
}

/** Mails a link to the product's sign-in page. The link itself does not sign in. */
function InviteForm(): ReactNode {
  const { app, id } = useProject()
  // Only the owner knows the addresses of other projects' pages.
  const callbackUrl = id === import.meta.env.VITE_PROJECT_ID ? new URL('/handler/sign-in', location.href).href : ''
  const form = useForm<Values>({
    initial: { email: '', callbackUrl },
    validate: { email: emailProblem(useWords()), callbackUrl: required('Enter the address of your sign-in page.') },
  })
  const invite = useAction(async (values: Values) => {
    const result = await app.sendSignInInvitation(values)
    if (result.ok) {
      tell(`An invitation has been sent to ${values.email}.`)
      form.set({ email: '' })
    }
    return result
  })
  const isUntrusted = invite.status === 'failed' && invite.error.code === 'REDIRECT_URL_NOT_WHITELISTED'
  return (
    <Section title="Invite by e-mail" description="The e-mail has a link to your sign-in page.">
      <Form label="Invite by e-mail" form={form} action={invite} submit="Send invitation" isProblemShown={isUntrusted}>
        <div className="auth-row top">
          <TextField
            className="grow"
            label="Address to invite"
            type="email"
            autoComplete="off"
            {...form.field('email')}
          />
          <TextField
            className="grow"
            label="Sign-in page"
            type="url"
            autoComplete="off"
            {...form.field('callbackUrl')}
            error={
              isUntrusted ? 'The project does not trust this website. Add it under Domains.' : form.errors.callbackUrl
            }
          />
        </div>
      </Form>
    </Section>
  )
}
