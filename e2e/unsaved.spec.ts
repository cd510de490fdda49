import type { Page } from '@playwright/test'
import { createApp } from './clients/oauth-app'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

test('unsaved changes are counted and can be discarded, and leaving the page requires confirmation', async ({
  page,
  screenshots,
}) => {
  await signUp(page, 'Mary Jackson')
  await page.goto('/account/profile')
  const name = page.getByRole('textbox', { name: 'Name' })
  const bar = page.getByRole('status').filter({ hasText: 'unsaved' })
  await name.fill('Mary W. Jackson')
  await expect(bar).toHaveText('1 unsaved change')
  await screenshots('unsaved')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(name).toHaveValue('Mary Jackson')
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Save' })).toBeFocused()

  await name.fill('Mary W. Jackson')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.getByRole('link', { name: 'Sessions' }).click()
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(name).toHaveValue('Mary W. Jackson')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Profile saved')).toBeVisible()
  await expect(bar).toHaveCount(0)

  await name.fill('Another user')
  await page.getByRole('link', { name: 'Sessions' }).click()
  await question.getByRole('button', { name: 'Discard and leave' }).click()
  await expect(page).toHaveURL('/account/sessions')
  await page.goto('/account/profile')
  await expect(name).toHaveValue('Mary W. Jackson')
})

/**
 * Opens a page, enters input before the page's scripts load, and then lets the scripts load.
 * @param enter enters the input
 */
async function enterEarly(page: Page, path: string, enter: () => Promise<void>): Promise<void> {
  let load = () => {}
  const held = new Promise<void>((resolve) => {
    load = resolve
  })
  const scripts = '**/_next/static/**/*.js'
  await page.route(scripts, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  await enter()
  load()
  await page.waitForLoadState()
  await page.unroute(scripts)
}

test('text that is typed before the scripts load counts as unsaved', async ({ page }) => {
  await signUp(page, 'Annie Easley')
  const name = page.getByRole('textbox', { name: 'Name' })
  await enterEarly(page, '/account/profile', () => name.fill('Annie J. Easley'))
  const bar = page.getByRole('status').filter({ hasText: 'unsaved' })
  await expect(bar).toHaveText('1 unsaved change')
  await expect(name).toHaveValue('Annie J. Easley')
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByText('Keep editing').click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(name).toHaveValue('Annie Easley')
})

test('rows that are edited before the scripts load are saved', async ({ page }) => {
  const { home } = await signUp(page, 'Katherine Johnson')
  const { clientId } = await createApp(page, {
    name: 'Orbit Planner',
    type: 'Web',
    redirectUris: ['https://a.example.test/callback', 'https://b.example.test/callback'],
    workspace: home.split('/').at(-1),
  })
  const row = (at: number) => page.getByRole('textbox', { name: `Redirect URI ${at}`, exact: true })
  await enterEarly(page, `${home}/settings/developer/${clientId}`, async () => {
    await row(1).fill('https://a.example.test/early')
    await row(2).fill('https://b.example.test/early')
  })
  await expect(page.getByRole('status').filter({ hasText: '1 unsaved change' })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('App saved')).toBeVisible()
  await page.reload()
  await expect(row(1)).toHaveValue('https://a.example.test/early')
  await expect(row(2)).toHaveValue('https://b.example.test/early')
})

test('a scope of an API that is opened and edited before the scripts load is saved', async ({
  page,
  signIn,
}) => {
  const mark = test.info().retry || ''
  await signIn('ada')
  await page.goto('/admin/apis/new')
  await page.getByLabel('Identifier').fill(`https://early${mark}.example.com`)
  await page.getByLabel('Name', { exact: true }).fill(`Early${mark}`)
  await page.getByLabel('Name of scope 1').fill(`early${mark}:read`)
  await page.getByLabel('Description of scope 1').fill('Read your letters')
  await page.getByRole('button', { name: 'Register API' }).click()
  const id = await page.getByRole('textbox', { name: 'API ID' }).inputValue()
  const row = page.getByRole('group', { name: 'Scopes' }).getByRole('listitem')
  const description = page.getByLabel('Description of scope 1')
  await enterEarly(page, `/admin/apis/${id}`, async () => {
    await row.locator('summary').click()
    await description.fill('Read the letters you choose')
    await page.getByLabel('Sensitivity of scope 1').selectOption('High')
  })
  await expect(page.getByRole('status').filter({ hasText: '1 unsaved change' })).toBeVisible()
  await expect(row.locator('summary')).toHaveText(`early${mark}:readRead the letters you chooseHigh`)
  await expect(description).toBeVisible()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('API saved')).toBeVisible()
  await page.reload()
  await expect(description).toHaveValue('Read the letters you choose')
  await expect(page.getByLabel('Sensitivity of scope 1')).toHaveValue('HIGH')
})

test('a search that is typed before the scripts load filters the list', async ({ page }) => {
  const { home } = await signUp(page, 'Mary Golda Ross')
  const search = page.getByRole('searchbox', { name: 'Search members' })
  await enterEarly(page, `${home}/members`, () => search.fill('Missing'))
  await expect(page).toHaveURL(`${home}/members?search=Missing`)
  await expect(search).toHaveValue('Missing')
})
