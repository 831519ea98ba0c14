import { derive, orThrow, type ClientApp } from 'rxauth'

/** The user of the program, whom its platform knows as the member of a team. */
export const ada = { email: 'ada@example.com', password: 'correct horse', displayName: 'Ada' }

/** Resolves once the other tab shows this user, or no user if `name` is null. */
export type OtherTab = (name: string | null) => Promise<unknown>

/** Signs in, changes the user, derives a store of two others and signs out; rejects at the first step that shows something else. */
export async function smoke(app: ClientApp, otherTab?: OtherTab): Promise<void> {
  const label$ = derive(app, read => {
    const user = read(app.user$)
    if (user === null) return 'signed out'
    const teams = read(app.teams$)
    return `${user.displayName} of ${teams.map(({ displayName }) => displayName).join(', ')}`
  })
  const seen: string[] = []
  const subscription = label$.subscribe(label => seen.push(label))
  async function shows(wanted: string) {
    const label = await label$.get()
    if (label !== wanted || seen.at(-1) !== wanted)
      throw new Error(`the derived store shows "${label}" and emitted "${seen.join('", "')}", not "${wanted}"`)
  }
  await shows('signed out')
  orThrow(await app.signInWithPassword({ email: ada.email, password: ada.password }))
  await shows('Ada of Ops')
  await otherTab?.('Ada')
  await app.updateUser({ displayName: 'Countess' })
  await shows('Countess of Ops')
  await app.signOut()
  await shows('signed out')
  await otherTab?.(null)
  subscription.unsubscribe()
}
