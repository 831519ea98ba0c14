import { button, field, heading, problem } from './person'
import { at, otherPerson, useExample } from './stage'

useExample()

describe('the language of the product', () => {
  it('is that of the browser until another one is chosen, which stays', async () => {
    const page = await otherPerson({ locale: 'de-AT' })
    const language = () => page.locator('html').getAttribute('lang')
    await page.goto(at('/handler/sign-in'))
    await heading(page, 'Anmelden').waitFor()
    expect(await language()).toBe('de')
    await field(page, 'E-Mail-Adresse').fill('ada')
    await button(page, 'Weiter').click()
    await problem(page, 'Geben Sie eine E-Mail-Adresse ein, wie ada@example.com.').waitFor()

    await button(page, 'English').click()
    await heading(page, 'Sign in').waitFor()
    expect(await language()).toBe('en')
    // What was typed stays.
    expect(await field(page, 'E-mail address').inputValue()).toBe('ada')
    await page.reload()
    await button(page, 'Deutsch').waitFor()
    await heading(page, 'Sign in').waitFor()
  })

  it('is English in the admin area', async () => {
    const page = await otherPerson({ locale: 'de-AT' })
    await page.goto(at('/admin/handler/sign-in'))
    await heading(page, 'Sign in').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await button(page, 'English').count()).toBe(0)
  })
})
