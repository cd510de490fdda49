import { expect, type Page } from '@playwright/test'

/** Creates an account token for the signed-in user. @returns the token's value */
export async function makeToken(page: Page, name: string): Promise<string> {
  await page.goto('/account/tokens/new')
  await page.getByLabel('Token name').fill(name)
  await page.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('textbox', { name: 'Token', exact: true })
  await expect(shown).toBeVisible()
  return shown.inputValue()
}

// biome-ignore lint/suspicious/noExplicitAny: the response of any mutation
type Answer = any

/**
 * Sends a mutation with a token.
 * @returns the data, the first error's code (`ok` if there is no error), and the approval page's URL (empty
 * if the error does not contain one)
 */
export async function askFactors(
  baseURL: string | undefined,
  token: string,
  mutation: string,
): Promise<{ data: Answer; code: string; approvalUrl: string }> {
  const response = await fetch(new URL('/graphql/v2', baseURL), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `mutation { ${mutation} }` }),
  })
  const { data, errors } = await response.json()
  const { code = 'ok', approvalUrl = '' } = errors?.[0]?.extensions ?? {}
  return { data, code, approvalUrl }
}
