import { fireEvent, screen } from '@testing-library/react'
import { UserMenu } from '../../react/example/shell/user-menu'
import { reactWorld } from '../react/harness'

it('offers a visitor the sign-in, which returns to the present page', async () => {
  const opened: string[] = []
  const navigate = (url: string) => void opened.push(url.replace(location.origin, ''))
  const { newApp, pass, show } = await reactWorld({ app: { navigate } })
  history.replaceState(null, '', '/prices')
  show(<UserMenu />, { app: newApp({ navigate }) })
  await pass(1000)
  const link = screen.getByRole('link', { name: 'Sign in' })
  expect(link.getAttribute('href')).toBe('/handler/sign-in')
  fireEvent.click(link)
  await pass(1000)
  expect(opened).toEqual(['/handler/sign-in?after_auth_return_to=%2Fprices'])
})
