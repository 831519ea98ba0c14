import { button, field, heading, problem, press, submit, visit, see } from './person'
import { at, otherPerson, useExample } from './stage'

useExample()

describe('the language of the product', () => {
  it('is that of the browser until another one is chosen, which stays', async () => {
    const page = await otherPerson({ locale: 'de-AT' })
    const language = () => page.locator('html').getAttribute('lang')
    await visit(page, at('/handler/sign-in'), 'Anmelden')
    expect(await language()).toBe('de')
    await submit(page, { 'E-Mail-Adresse': 'ada' }, 'Weiter')
    await problem(page, 'Geben Sie eine E-Mail-Adresse ein, wie ada@example.com.').waitFor()

    await press(button(page, 'English'), heading(page, 'Sign in'))
    expect(await language()).toBe('en')
    // What was typed stays.
    expect(await field(page, 'E-mail address').inputValue()).toBe('ada')
    await page.reload()
    await see(button(page, 'Deutsch'), heading(page, 'Sign in'))
  })

  it('is English in the admin area', async () => {
    const page = await otherPerson({ locale: 'de-AT' })
    await visit(page, at('/admin/handler/sign-in'), 'Sign in')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await button(page, 'English').count()).toBe(0)
  })
})
