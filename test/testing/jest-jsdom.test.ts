/** @jest-environment ./test/setup/jsdom-environment.ts */

it('FormData of `rxauth/jest-jsdom` reads a form, and is what a request takes and gives', async () => {
  document.body.innerHTML = '<form><input name="email" value="ada@example.com"></form>'
  const fields = new FormData(document.querySelector('form')!)
  expect([...fields]).toEqual([['email', 'ada@example.com']])
  const sent = await new Request('https://app.example.com', { method: 'POST', body: fields }).formData()
  expect([sent instanceof FormData, sent.get('email')]).toEqual([true, 'ada@example.com'])
})
