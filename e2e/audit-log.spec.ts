import { randomUUID } from 'node:crypto'
import { expect, test } from './support/test'

test('admins filter the audit log of a workspace by action and user', async ({
  page,
  signIn,
  screenshots,
}) => {
  const invited = `${randomUUID()}@example.com`
  await signIn('ada')
  await page.goto('/workspaces/acme/members/invite')
  await page.getByRole('textbox', { name: 'Email' }).fill(invited)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText(`${invited} is invited`)).toBeVisible()
  await page.goto('/workspaces/acme/settings')
  const rail = page.getByRole('navigation', { name: 'Main' })
  await rail.getByRole('link', { name: 'Audit log' }).click()
  const log = page.getByRole('list', { name: 'Audit log' })
  const entry = log.getByRole('listitem').filter({ hasText: `Ada Lovelace invited ${invited}` })
  await expect(entry).toBeVisible()
  await entry.locator('summary').click()
  await expect(entry.getByText('invitation.created')).toBeVisible()
  await screenshots('audit-log')
  await page.getByLabel('Action').selectOption('Invitations')
  await page.getByLabel('User').selectOption('Ada Lovelace')
  await expect(page).toHaveURL(/action=invitation&user=/)
  await expect(log.getByRole('listitem').first()).toContainText(invited)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^audit-log-acme-to-[\d-]+\.csv$/)
  await page.getByLabel('User').selectOption('Grace Hopper')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByText('No event matches')).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(entry).toBeVisible()
  await page.goto('/workspaces/acme/settings/audit-log?action=project.made')
  await expect(
    page.getByText('There is no action “project.made”. Valid values: project.created,'),
  ).toBeVisible()
  await page.goto('/workspaces/acme/settings/audit-log?since=2026-02-02&until=2026-02-01')
  await expect(page.getByText('The end must be after the start.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Export CSV' })).toHaveCount(0)

  await signIn('grace')
  expect((await page.goto('/workspaces/acme/settings/audit-log'))?.status()).toBe(404)
})
