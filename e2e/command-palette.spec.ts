import type { Page } from '@playwright/test'
import { query } from './clients/query'
import { findBarriers } from './support/accessibility'
import { openPalette, palette } from './support/palette'
import { invite, join, signUp } from './support/sign-up'
import { expect, test } from './support/test'

const field = (page: Page) => page.getByRole('combobox', { name: 'Jump to' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

/**
 * Searches for an option and opens it with Enter, which acts on the marked option. Waits until the option is
 * marked.
 */
async function choose(page: Page, search: string, name: string): Promise<void> {
  await field(page).fill(search)
  await expect(option(page, name)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
}

test('the command palette opens by keyboard, opens a settings page, and restores the focus when it closes', async ({
  page,
  screenshots,
}) => {
  const { home } = await signUp(page)
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/palette') asked.push(request.url())
  })
  await page.goto('/account/profile')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.focus()
  expect(asked).toEqual([])
  await openPalette(page)
  await expect(field(page)).toBeFocused()
  await expect(option(page, 'Sign out')).toBeAttached()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('command-palette')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(name).toBeFocused()

  await openPalette(page)
  await choose(page, 'audit', 'Settings: Audit log')
  await expect(page).toHaveURL(`${home}/settings/audit-log`)
  await expect(palette(page)).toBeHidden()

  const button = page.getByRole('button', { name: 'Jump to…' })
  await button.click()
  await expect(field(page)).toHaveValue('')
  await field(page).fill('zzzz')
  await expect(page.getByText('No matches.')).toBeVisible()
  await expect(palette(page).getByRole('status')).toHaveText('No matches')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(button).toBeFocused()

  await openPalette(page)
  await field(page).fill('account')
  await expect(option(page, 'Profile')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(option(page, 'Security')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/security')
})

test('a user finds one of many projects by name and signs out with the command palette', async ({
  page,
  baseURL,
  problems,
}) => {
  // A search that started while typing might still be in progress when the session ends.
  problems.expect(/401.*\/palette\?search=sign\+out/)
  await signUp(page)
  await page.goto('/account/tokens/new')
  await page.getByLabel('Token name').fill('Many projects')
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await page.getByRole('textbox', { name: 'Token', exact: true }).inputValue()
  const ask = <T>(text: string) => query<T>(baseURL, token, text)
  const { made } = await ask<{ made: { id: string; slug: string } }>(
    'mutation { made: workspaceCreate(input: { name: "Foundry" }) { id slug } }',
  )
  // Create more projects than the palette loads at first. The test searches for the oldest one.
  for (let batch = 0; batch < 3; batch++) {
    const names = Array.from({ length: 15 }, (_, at) => `Casting ${batch * 15 + at + 1} of 45`)
    const fields = names.map(
      (name, at) => `p${at}: projectCreate(input: { workspaceId: "${made.id}", name: "${name}" }) { id }`,
    )
    await ask(`mutation { ${fields.join(' ')} }`)
  }
  await page.goto('/account/profile')
  await openPalette(page)
  await expect(option(page, /^Casting 45 of 45/)).toBeAttached()
  await field(page).fill('casting 1 of foundry')
  await option(page, /^Casting 1 of 45/).click()
  await expect(page).toHaveURL(new RegExp(`/workspaces/${made.slug}/projects/[0-9a-f-]{36}$`))
  await expect(page.getByRole('heading', { name: 'Casting 1 of 45' })).toBeVisible()

  await openPalette(page)
  await choose(page, 'sign out', 'Sign out')
  await expect(page).toHaveURL(/\/login/)
  await page.goto('/account/profile')
  await expect(page).toHaveURL(/\/login\?next=/)
})

test('the command palette offers only pages that the user can open', async ({ page, signIn }) => {
  const { home } = await signUp(page, 'Edith Clarke')
  const link = await invite(page, home, 'viewer@example.com', 'Viewer')
  await page.context().clearCookies()
  await signUp(page, 'Hertha Ayrton')
  await join(page, link)
  await page.goto(home)
  await openPalette(page)
  await expect(option(page, /^Settings: General/).first()).toBeAttached()
  // The first group belongs to the open workspace. The user's own workspace appears only in search results.
  await expect(palette(page).getByRole('group').first().getByRole('option')).toHaveText([
    'Projects',
    'Members',
    'Settings: General',
  ])
  await expect(option(page, 'New project')).toHaveCount(0)
  await expect(option(page, 'Signing keys')).toHaveCount(0)

  await signIn('ada')
  await page.goto('/account/profile')
  await openPalette(page)
  await choose(page, 'signing', 'Signing keys')
  await expect(page).toHaveURL('/admin/keys')
})
