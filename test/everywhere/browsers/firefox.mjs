import puppeteer from 'puppeteer-core'

/** Firefox, by WebDriver BiDi. */
export async function open({ executablePath, address }) {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, protocol: 'webDriverBiDi' })
  let fail
  return {
    version: (await browser.version()).replace('firefox/', 'Firefox '),
    failed: new Promise((_resolve, reject) => (fail = reject)),
    close: () => browser.close(),
    async open(url) {
      const page = await browser.newPage()
      // Firefox also tells of the icon that the page of a provider forbids itself, and may do so once that page is left.
      page.on('pageerror', error => {
        if (error.stack.includes(address)) fail(error)
      })
      await page.goto(url)
      const element = async expression => (await page.evaluateHandle(expression)).asElement()
      return {
        show: () => page.bringToFront(),
        goto: to => page.goto(to),
        evaluate: expression => page.evaluate(expression),
        click: async expression => (await element(expression)).click(),
        type: async (expression, value) => (await element(expression)).type(value),
        close: () => page.close(),
      }
    },
  }
}
