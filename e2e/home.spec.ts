import type { Page } from '@playwright/test'
import { findBarriers } from './support/accessibility'
import { awaken } from './support/palette'
import { expect, test } from './support/test'

async function newProject(page: Page, workspace: string, name: string): Promise<string> {
  await page.goto(`${workspace}/projects/new`)
  await page.getByLabel('Project name').fill(name)
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  return page.url()
}

test('a workspace’s home page lists recently opened projects first, and the navigation counts projects and members', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await page.goto('/workspaces/new')
  await page.getByLabel('Workspace name').fill('Lighthouse')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.waitForURL(/\/workspaces\/lighthouse/)
  const home = '/workspaces/lighthouse'
  const first = await newProject(page, home, 'First project')
  await newProject(page, home, 'Second project')
  const opened = async () => {
    const cookies = await page.context().cookies()
    return (
      cookies
        .find(({ name }) => name.includes('places'))
        ?.value.split('.')
        .slice(0, 2) ?? []
    )
  }
  await expect.poll(opened).toHaveLength(2)
  const [second, earlier] = await opened()
  await page.goto(first)
  // A script on the page stores the opened projects in a cookie.
  await expect.poll(opened).toEqual([earlier, second])

  await page.goto(home)
  const projects = page.getByRole('list', { name: 'Projects' })
  await expect(projects.getByRole('listitem')).toHaveText([/First project/, /Second project/])
  const rail = page.getByRole('navigation', { name: 'Main' })
  await expect(rail.getByRole('listitem').filter({ hasText: 'Projects' })).toHaveText(/2$/)
  await expect(rail.getByRole('listitem').filter({ hasText: 'Members' })).toHaveText(/1$/)
  expect(await findBarriers(page)).toEqual([])
  await screenshots('home/recent')

  await page.goto(`${home}/projects`)
  await awaken(page)
  await page.getByRole('button', { name: 'Actions for First project' }).click()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('home/row-menu')
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page).toHaveURL(`${first}/settings`)
})

test('the workspace switcher never shows results that do not match the search text', async ({
  page,
  signIn,
}) => {
  await signIn('ada')
  await page.goto('/workspaces/acme')
  await awaken(page)
  await page.locator('summary').filter({ hasText: 'Workspace' }).click()
  const field = page.getByTitle('Find a workspace')
  const found = page.getByRole('list', { name: 'Found' })
  const result = (name: string) => found.getByRole('link', { name, exact: true })
  await field.fill('acme')
  await expect(result('Acme')).toBeVisible()

  let respond = () => {}
  const held = new Promise<void>((resolve) => {
    respond = resolve
  })
  await page.route('**/palette?search=globex', async (route) => {
    await held
    await route.continue()
  })
  await field.fill('acm')
  await expect(result('Acme')).toBeVisible()
  const asked = page.waitForRequest('**/palette?search=globex')
  await field.fill('globex')
  await asked
  await expect(found).toHaveCount(0)
  respond()
  await expect(result('Globex')).toBeVisible()
  await field.fill('nothing like it')
  await expect(page.getByText('No matching workspaces.')).toBeVisible()
})
