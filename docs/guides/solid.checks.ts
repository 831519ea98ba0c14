// check solid
import { createEffect, createRoot } from 'solid-js'
import { createPlatform } from 'rxauth/platform'

const platform = createPlatform({ seed: { users: [{ email: 'ada@example.com', displayName: 'Ada' }] } })
const ofAda = createClientApp({ ...platform.options, tokens: await platform.tokensFor('ada@example.com') })

const dispose = createRoot(dispose => {
  const auth = createAuth(ofAda)
  const user = createStoreSignal(ofAda.user$)
  createEffect(() => console.log(auth().status, user().status))
  return dispose
})
// → unknown pending
await ofAda.user$.get()
// → signed-in pending
// → signed-in ready
dispose()
ofAda.inspect().subscriptions // → 0
