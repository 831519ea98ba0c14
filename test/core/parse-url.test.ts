import { parseUrl } from '../../src/core/urls'

it.each([
  ['https://a.example/b', undefined, 'https://a.example/b'],
  ['/b', 'https://a.example/c', 'https://a.example/b'],
  ['/b', undefined, undefined],
  ['https://', undefined, undefined],
  ['', undefined, undefined],
  ['https://[', 'https://a.example', undefined],
])('%s on %s is %s', (text, base, href) => {
  expect(parseUrl(text, base)?.href).toBe(href)
})

it('gives the same result however often it is called', () => {
  for (let times = 0; times < 200_000; times++) parseUrl('https://a.example')
  expect(parseUrl('https://bücher.example')?.hostname).toBe('xn--bcher-kva.example')
})
