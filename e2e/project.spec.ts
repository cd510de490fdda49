import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { findBarriers } from './support/accessibility'
import { awaken } from './support/palette'
import { takeRowAction } from './support/row-menu'
import { invite, join, signUp } from './support/sign-up'
import { expect, test } from './support/test'

/**
 * Creates a project for one test, by default in Globex, where Ada is an admin.
 * @returns the URL of the project
 */
async function newProject(page: Page, name: string, workspace = '/workspaces/globex'): Promise<string> {
  await page.goto(`${workspace}/projects/new`)
  await page.getByLabel('Project name').fill(name)
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  return page.url()
}

test('an admin adds, changes, reveals, and deletes variables, and sees the history of changes', async ({
  page,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await newProject(page, 'Rover')
  await page.getByLabel('Environment name').fill('production')
  await page.getByRole('button', { name: 'Create environment' }).click()
  const section = page.getByRole('region', { name: 'production' })
  for (const [name, value] of [
    ['DATABASE_URL', 'postgres://rover-secret'],
    ['API_KEY', 'first-secret'],
  ] as const) {
    await section.getByLabel('Name').fill(name)
    await section.getByLabel('Value', { exact: true }).fill(value)
    await section.getByRole('button', { name: 'Add variable' }).click()
    await expect(section.getByRole('cell', { name, exact: true })).toBeVisible()
  }
  await page.reload()
  expect(await page.content()).not.toContain('secret')

  await section.getByRole('button', { name: 'Change API_KEY' }).click()
  await page.getByLabel('New value').fill('second-secret')
  await page.getByRole('button', { name: 'Save value' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await section.getByRole('button', { name: 'Reveal API_KEY' }).click()
  await expect(section.getByLabel('Value of API_KEY')).toHaveText('second-secret')
  await expect(page.getByText('rover-secret')).toHaveCount(0)
  await screenshots('project/overview')
  await section.getByRole('button', { name: 'Hide API_KEY' }).click()
  await expect(page.getByText('second-secret')).toHaveCount(0)

  await section.getByRole('button', { name: 'Delete DATABASE_URL of production' }).click()
  await page.getByRole('button', { name: 'Delete variable' }).click()
  await expect(section.getByRole('cell', { name: 'DATABASE_URL' })).toHaveCount(0)
  await section.getByRole('link', { name: 'History and settings of production' }).click()
  const tabs = page.getByRole('navigation', { name: 'Project' })
  await expect(tabs.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page')
  const changes = page.getByRole('table', { name: 'Variable changes' }).getByRole('row')
  await expect(changes).toHaveText([
    /Variable/,
    /DATABASE_URL.*Deleted.*Ada Lovelace/,
    /API_KEY.*Changed.*Ada Lovelace/,
    /API_KEY.*Added.*Ada Lovelace/,
    /DATABASE_URL.*Added.*Ada Lovelace/,
  ])
  expect(await page.content()).not.toContain('secret')
  await screenshots('project/history')
})

test('an admin adds workspace members to a project immediately and other users by invitation', async ({
  page,
  screenshots,
}) => {
  const { home, email: own } = await signUp(page, 'Lara Lead')
  const address = await newProject(page, 'Lagrange', home)
  const email = `${randomUUID()}@example.com`
  await page.goto(`${address}/members`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Role', { exact: true }).selectOption('Viewer')
  await page.getByRole('button', { name: 'Add member' }).click()
  await expect(page.getByRole('textbox', { name: 'Invitation link' })).toHaveValue(/\/invitations\//)
  await expect(page.getByRole('table', { name: 'Invitations' })).toContainText(email)
  await screenshots('project/members-invited')
  await page.goto(`${home}/members/invitations`)
  await expect(page.getByRole('row', { name: `${email} Viewer Lagrange` })).toBeVisible()
  await screenshots('members-with-project-invitations')
  await page.goto(`${address}/members`)
  await page.getByRole('button', { name: `Revoke the invitation for ${email}` }).click()
  await page.getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(page.getByRole('table', { name: 'Invitations' })).toHaveCount(0)

  await page.getByLabel('Email').fill(own)
  await page.getByRole('button', { name: 'Add member' }).click()
  await expect(page.getByLabel('Role of Lara Lead', { exact: true })).toBeVisible()
  await awaken(page)
  await page.getByLabel('Role of Lara Lead', { exact: true }).selectOption('Viewer')
  await expect(page.getByText('Role of Lara Lead changed')).toBeVisible()
  await screenshots('project/members')
})

test('an admin must confirm before a role change makes a member a project admin', async ({
  page,
  screenshots,
}) => {
  const { home, email } = await signUp(page, 'Lara Lead')
  const address = await newProject(page, 'Aldrin', home)
  await page.goto(`${address}/members`)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Add member' }).click()
  const role = page.getByLabel('Role of Lara Lead', { exact: true })
  await expect(role).toHaveValue('MEMBER')
  await awaken(page)
  const dialog = page.getByRole('dialog', { name: 'Make Lara Lead an admin?' })
  // A single arrow key changes the value of a closed select.
  await role.press('ArrowUp')
  await expect(dialog).toHaveAccessibleDescription(/managing its members and tokens/)
  expect(await findBarriers(page)).toEqual([])
  await screenshots('project/members-make-admin')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(role).toHaveValue('MEMBER')
  await expect(role).toBeFocused()
  await page.reload()
  await expect(role).toHaveValue('MEMBER')

  await awaken(page)
  await role.selectOption('Admin')
  await dialog.getByRole('button', { name: 'Make admin' }).click()
  await expect(page.getByText('Role of Lara Lead changed')).toBeVisible()
  await expect(role).toHaveValue('ADMIN')
  await page.reload()
  await expect(role).toHaveValue('ADMIN')
})

test('a viewer of the workspace sees only the names of variables', async ({ page, context, screenshots }) => {
  const viewer = await signUp(page, 'Vera Viewer')
  const cookies = await context.cookies()
  await context.clearCookies()
  const { home } = await signUp(page, 'Adele Admin')
  const invitation = await invite(page, home, viewer.email, 'Viewer')
  const address = await newProject(page, 'Payments', home)
  await page.getByLabel('Environment name').fill('live')
  await page.getByRole('button', { name: 'Create environment' }).click()
  const section = page.getByRole('region', { name: 'live' })
  await section.getByLabel('Name').fill('STRIPE_KEY')
  await section.getByLabel('Value', { exact: true }).fill('not-for-viewers')
  await section.getByRole('button', { name: 'Add variable' }).click()
  await expect(section.getByRole('cell', { name: 'STRIPE_KEY', exact: true })).toBeVisible()

  await context.clearCookies()
  await context.addCookies(cookies)
  await join(page, invitation)
  await page.goto(address)
  await expect(section.getByRole('cell', { name: 'STRIPE_KEY', exact: true })).toBeVisible()
  await expect(section.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Tokens' })).toHaveCount(0)
  expect(await page.content()).not.toContain('not-for-viewers')
  await screenshots('project/viewer')
  expect((await page.goto(`${address}/tokens`))?.status()).toBe(404)
})

test('a project token is shown once, works only for its project, and stops working when revoked', async ({
  page,
  request,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  const address = await newProject(page, 'Perigee')
  await page.goto(`${address}/tokens`)
  await page.getByRole('link', { name: 'New token' }).click()
  await page.getByLabel('Token name').fill('Deployment')
  await page.getByLabel('Role').selectOption('Viewer')
  await page.getByLabel('Expires').selectOption('30 days')
  await screenshots('project/token-new')
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await page.getByRole('textbox', { name: 'Token', exact: true }).inputValue()
  const ask = () =>
    request
      .post('/graphql/v2', {
        data: { query: '{ projects(first: 5) { edges { node { name role } } } }' },
        headers: { authorization: `Bearer ${token}` },
      })
      .then((answer) => answer.json())
  expect(await ask()).toMatchObject({
    data: { projects: { edges: [{ node: { name: 'Perigee', role: 'VIEWER' } }] } },
  })
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('table')).toContainText(`lk_pjt_…${token.slice(-4)}`)
  await expect(page.getByRole('table')).toContainText('Viewer')
  expect(await page.content()).not.toContain(token)
  await screenshots('project/tokens')
  await takeRowAction(page, 'Deployment', 'Revoke Deployment')
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByRole('button', { name: 'Actions for Deployment' })).toHaveCount(0)
  expect(await ask()).toHaveProperty('errors.0.extensions.code', 'UNAUTHENTICATED')
})
