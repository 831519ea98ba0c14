import { anonymousSignUp } from '../../sign-in/anonymous'
import { createUser } from '../directory/accounts'
import { grantingDefaults } from '../directory/permissions'
import { known } from '../model/refusal'
import { serve } from '../http/serve'
import { signIn } from '../directory/sessions'

export const anonymousRoutes = [
  serve(anonymousSignUp, {}, ({ engine, caller: { project }, origin }) => {
    const { keepsAnonymousUsers } = engine.rules
    if (!keepsAnonymousUsers && !project.config.anonymousSignUpEnabled)
      throw known(
        'ANONYMOUS_ACCOUNTS_NOT_ENABLED',
        'This project does not have anonymous users: switch on anonymousSignUpEnabled.',
      )
    const displayName = keepsAnonymousUsers ? null : 'Anonymous user'
    const user = grantingDefaults(() => createUser(engine, project, { displayName, isAnonymous: true }))
    return signIn(engine, user, origin)
  }),
]
