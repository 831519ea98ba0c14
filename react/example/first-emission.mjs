// A whole program: signs up a new user on the platform of the environment, and prints the first emission of `user$`.
import { firstValueFrom } from 'rxjs'
import { createClientApp, memoryTokens, orThrow } from 'rxauth'

// Address, project and key are read from NEXT_PUBLIC_STACK_API_URL and its like.
const app = createClientApp({ tokens: memoryTokens() })

const email = `newcomer-${Date.now()}@example.com`
// A page knows where the mailed link should lead; a script has to say it.
const verificationCallbackUrl = 'http://localhost/handler/email-verification'
orThrow(await app.signUpWithPassword({ email, password: 'correct horse battery', verificationCallbackUrl }))

const { id, primaryEmail, displayName } = await firstValueFrom(app.user$)
console.log(`first emission: ${JSON.stringify({ id, primaryEmail, displayName })}`)
// The process ends here by itself: no timer or connection is left.
