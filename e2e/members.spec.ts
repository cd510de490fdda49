import { awaken } from './support/palette'
import { invite, signUp } from './support/sign-up'
import { expect, test } from './support/test'

test('a user is invited, joins by the link, changes role, and leaves; the admin is notified', async ({
  page,
  context,
  screenshots,
}) => {
  const grace = await signUp(page, 'Grace Guest')
  const asGrace = await context.cookies()
  await context.clearCookies()
  const admin = await signUp(page, 'Ada Admin')
  const asAdmin = await context.cookies()
  const link = await invite(page, admin.home, grace.email, 'Viewer')
  await expect(page.getByRole('row', { name: `${grace.email} Viewer` })).toBeVisible()
  await screenshots('members')

  await page.goto(link)
  await expect(page.getByText(`You’re signed in as ${admin.email}`)).toBeVisible()
  await screenshots('invitation-wrong-account')
  await context.clearCookies()
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in to join' }).click()
  await expect(page).toHaveURL(/\/login\?next=%2Finvitations%2F/)
  await context.addCookies(asGrace)
  await page.goto(link)
  await screenshots('invitation')
  await page.getByRole('button', { name: 'Join as Grace Guest' }).click()
  await expect(page).toHaveURL(admin.home)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible()

  await context.addCookies(asAdmin)
  await page.goto('/account/notifications')
  const told = page.getByRole('listitem').filter({ hasText: 'Grace Guest joined' })
  await expect(told).toContainText('Unread')
  await screenshots('notifications')
  await told.getByRole('button', { name: 'Mark as read' }).press('Enter')
  await expect(told).not.toContainText('Unread')
  await told.getByRole('link', { name: 'View' }).click()
  await awaken(page)
  const role = page.getByRole('combobox', { name: 'Role of Grace Guest' })
  await role.focus()
  await role.selectOption('Member')
  await expect(page.getByText('Role of Grace Guest changed')).toBeVisible()
  await expect(role).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Role of Grace Guest changed')).toBeVisible()
  await page.reload()
  await expect(role).toHaveValue('VIEWER')
  await awaken(page)
  await role.selectOption('Member')
  await expect(page.getByText('Role of Grace Guest changed')).toBeVisible()

  await context.addCookies(asGrace)
  await page.goto(`${admin.home}/members`)
  await expect(page.getByRole('row', { name: /Grace Guest/ })).toContainText('Member')
  await expect(page.getByRole('combobox')).toHaveCount(0)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Leave workspace' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).not.toHaveURL(new RegExp(admin.home))
})

test('the last admin keeps the role, and sees the reason', async ({ page, signIn }) => {
  await signIn('ada')
  await page.goto('/workspaces/acme/members')
  await awaken(page)
  const role = page.getByRole('combobox', { name: 'Role of Ada Lovelace' })
  await role.selectOption('Viewer')
  const reason = 'This is the last admin of the workspace. Make someone else an admin first.'
  await expect(role).toHaveAccessibleDescription(reason)
  await expect(role).toHaveValue('ADMIN')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Leave workspace' }).click()
  await expect(page.getByRole('dialog')).toHaveAccessibleDescription(/lose/)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(reason)
})

test('an invitation is revoked, and its link stops working', async ({ page }) => {
  const { home, email } = await signUp(page)
  await page.goto(`${home}/members`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email.toUpperCase())
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription(
    'This user is already a member.',
  )
  const link = await invite(page, home, 'barbara@example.com', 'Member')
  await page.getByRole('button', { name: 'Revoke the invitation of barbara@example.com' }).click()
  await page.getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(page.getByRole('row', { name: /barbara/ })).toHaveCount(0)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible()
})

test('an admin chooses the notifications of a workspace', async ({ page, signIn }) => {
  await signIn('ada')
  await page.goto('/account/notifications')
  await page.getByRole('link', { name: 'Notification settings' }).click()
  const rules = page.getByRole('form', { name: 'Rules for Globex' })
  const joins = rules.getByRole('group', { name: 'Member joined' })
  await expect(joins.getByRole('checkbox', { name: 'In app' })).toBeChecked()
  await joins.getByRole('checkbox', { name: 'Email' }).check()
  await expect(page.getByText('Rules for Globex saved')).toBeVisible()
  await page.reload()
  await expect(joins.getByRole('checkbox', { name: 'Email' })).toBeChecked()
})
