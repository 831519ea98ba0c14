import { apiUrl } from '../../src/transport/transport'
import { config } from './exchange'

it.each([
  ['/users/me', 'https://auth.example.com/api/v1/users/me'],
  ['/', 'https://auth.example.com/api/v1'],
  ['/users/', 'https://auth.example.com/api/v1/users'],
  ['/users?a=%2F', 'https://auth.example.com/api/v1/users?a=%2F'],
])('the path %s is at %s', (path, url) => {
  expect(apiUrl(config, path)).toBe(url)
})
