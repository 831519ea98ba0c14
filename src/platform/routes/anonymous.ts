import { anonymousSignUp } from '../../auth/anonymous-endpoints'
import { createUser } from '../accounts'
import { known } from '../refusal'
import { serve } from '../serve'
import { signIn } from '../sessions'

export const anonymousRoutes = [
  serve(anonymousSignUp, {}, ({ engine, caller: { project }, origin }) => {
    if (!project.config.anonymousSignUpEnabled)
      throw known(
        'ANONYMOUS_ACCOUNTS_NOT_ENABLED',
        'This project does not have anonymous users: switch on anonymous_sign_up_enabled.',
      )
    const user = createUser(engine, project, { displayName: 'Anonymous user', isAnonymous: true })
    return signIn(engine, user, origin)
  }),
]
