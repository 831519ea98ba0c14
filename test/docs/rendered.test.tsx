import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { createPlatform } from 'rxauth/platform'
import * as client from 'rxauth'
import type { ClientOptions } from 'rxauth'
import { guides, readExamples, run } from './blocks'
import type { Example } from './blocks'

const examples = guides()
  .flatMap(file => readExamples(file))
  .filter(({ renders }) => renders !== undefined)

/** What a reader does with each page, and sees. */
const visits: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'README.md: In React'() {
    fireEvent.click(await screen.findByText('Sign in as Ada'))
    fireEvent.click(await screen.findByText('Sign out Ada'))
    await screen.findByText('Sign in as Ada')
  },
}

function titleOf({ name, renders = '' }: Example): string {
  return `${name.replace(/:\d+$/, '')}: ${renders}`
}

/** The page of an example; its kit speaks to a platform in process in the place of the one at its address. */
async function pageOf(example: Example): Promise<ComponentType> {
  const users = [
    { email: 'ada@example.com', password: 'correct horse battery', displayName: 'Ada', verified: true },
    { email: 'grace@example.com', password: 'correct horse battery', displayName: 'Grace', verified: true },
  ]
  const platform = createPlatform({ seed: { users } })
  const createClientApp = (options: ClientOptions) => client.createClientApp({ ...options, ...platform.options })
  const exported: { Page?: ComponentType } = {}
  await run(
    example,
    name => (name === 'rxauth' ? { ...client, createClientApp } : jest.requireActual<object>(name)),
    exported,
  )
  if (!exported.Page) throw new Error(`${example.name} exports no Page`)
  return exported.Page
}

describe('the pages in README and guides', () => {
  afterEach(cleanup)

  it('are those that are visited', () => {
    expect(examples.map(titleOf).sort()).toEqual(Object.keys(visits).sort())
  })

  it.each(examples.map(example => [titleOf(example), example] as const))('%s', async (title, example) => {
    const Page = await pageOf(example)
    render(<Page />)
    await visits[title]?.()
  })
})
