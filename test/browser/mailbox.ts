import type { Page } from 'playwright-core'
import { context, running } from './stage'

/** The mailbox of one address, in a tab of its own. */
export async function mailbox(email: string): Promise<Page> {
  const mails = await context.newPage()
  await mails.goto(`${running.platform}/mailbox?address=${encodeURIComponent(email)}`)
  return mails
}

/** Opens the link of the newest mail by a click. */
export async function openMail(email: string): Promise<Page> {
  const mails = await mailbox(email)
  await mails.locator('article').first().getByRole('link').last().click()
  return mails
}

/** The address in the newest mail that was sent there. */
export async function linkOf(email: string): Promise<string> {
  const mails = await fetch(`${running.platform}/mailbox?address=${encodeURIComponent(email)}`)
  const [, href] = /href="([^"]*[?&;]code=[^"]*)"/.exec(await mails.text())!
  return href!.replaceAll('&#38;', '&')
}
