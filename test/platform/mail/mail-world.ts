import { ada, type World } from '../wire-world'

export async function signUp({ ask }: World, email: string): Promise<void> {
  const body = { email, password: ada.password, verification_callback_url: 'http://localhost/v' }
  expect((await ask('POST /auth/password/sign-up', { body })).status).toBe(200)
}
