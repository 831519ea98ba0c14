// The files that the console has in place of those of the example's admin area have the same types.
import type * as ownFrame from '../../react/console/console-frame'
import type * as ownAuth from '../../react/console/auth'
import type * as ownFollow from '../../react/console/follow'
import type * as ownOwner from '../../react/console/owner'
import type * as ownImpersonation from '../../react/console/sign-in-as'
import type * as frame from '../../react/example/admin/admin-frame'
import type * as follow from '../../react/example/admin/project/follow'
import type * as owner from '../../react/example/admin/owner'
import type * as impersonation from '../../react/example/admin/users/impersonation'
import type * as auth from '../../react/example/app/auth'

/** What the pages of the console import of the replaced files. */
type Fits<Own extends Of, Of> = Own

export type Substitutes = [
  Fits<typeof ownFrame, Pick<typeof frame, 'AdminFrame'>>,
  Fits<typeof ownAuth, Pick<typeof auth, 'platformUrl'>>,
  Fits<typeof ownOwner, Pick<typeof owner, 'refreshOn'>>,
  Fits<typeof ownFollow, typeof follow>,
  Fits<typeof ownImpersonation, Pick<typeof impersonation, 'Impersonation'>>,
]
