import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { firstValueFrom } from 'rxjs'
import { isAuthError, orThrow } from 'rxauth'
import { useAuth } from 'rxauth/react'
import { app, greeting$, isAuthError as isKitsError, platform, provided, server, signIn } from './kit'

function Name() {
  const auth = useAuth()
  return auth.status === 'signed-in' ? auth.user.displayName : auth.status
}

orThrow(await signIn('correct horse'))
const user = await firstValueFrom(app.user$)
const known = await server.userById$({ userId: user?.id ?? '' }).get()
export const shown = [
  await firstValueFrom(greeting$),
  renderToString(provided(createElement(Name))),
  known?.displayName,
]
platform.dispose()
const isOneCopy = isAuthError === isKitsError
console.log(
  isOneCopy && shown.join() === 'Hello Ada,Ada,Ada' ? 'runs' : `it shows "${shown.join()}", one copy: ${isOneCopy}`,
)
