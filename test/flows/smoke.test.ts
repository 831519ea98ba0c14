import { ada, world } from '../world'
test('smoke', async () => {
  const { app, settled, clock, requests } = await world()
  expect((await settled(app.user$.get()))?.displayName).toBe(ada.displayName)
  const seen: unknown[] = []
  app.user$.subscribe(u => seen.push(u?.displayName))
  app.auth$.subscribe(a => seen.push(a.phase))
  const p = app.updateUser({ displayName: 'X' })
  await settled(p)
  await clock.advance(300)
  console.log(seen, requests)
})
