import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { derive, isAuthError, user$ } from 'rxauth'
import { AuthProvider, useAuth } from 'rxauth/react'
import { app, isAuthError as isKitsError, platform, provided, signIn } from './kit'

/** The package of a workspace that has another version of rxauth than its kit. */
function Name() {
  const auth = useAuth()
  return auth.status === 'signed-in' ? auth.user.displayName : auth.status
}

async function saidBy(what: () => unknown): Promise<string> {
  try {
    return String(await what())
  } catch (error) {
    return isKitsError(error) ? error.message : `no AuthError of the kit: ${String(error)}`
  }
}

async function checked(): Promise<string> {
  if (isAuthError === isKitsError) return 'both packages have one copy'
  const refused = await signIn('wrong')
  if (
    refused.ok ||
    !isAuthError(refused.error, 'EMAIL_PASSWORD_MISMATCH') ||
    isAuthError(refused.error, 'USER_NOT_FOUND')
  )
    return 'isAuthError does not know the error of the other copy'
  await signIn('correct horse')
  const name = (await user$(app).get())?.displayName
  if (name !== 'Ada') return `a store of one copy shows "${name}" of an app of the other`
  const page = renderToString(createElement(AuthProvider, { app }, createElement(Name)))
  if (page !== 'Ada') return `hooks of one copy show "${page}" of an app of the other`
  const ofHook = await saidBy(() => renderToString(provided(createElement(Name))))
  if (!ofHook.includes('another copy of rxauth/react'))
    return `a hook below the provider of the other copy says "${ofHook}"`
  const ofDerive = await saidBy(() => derive(app, read => read(app.user$)?.displayName).get())
  if (!ofDerive.includes('another copy of rxauth')) return `derive() of the other copy says "${ofDerive}"`
  return 'runs'
}

console.log(await checked())
platform.dispose()
