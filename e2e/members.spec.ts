import { expect, test } from './support/test'

test('someone is invited, joins by the link, changes role and leaves; the admin is told', async ({
  page,
  context,
  signIn,
  screenshots,
}) => {
  await signIn('ada')
  await page.goto('/workspaces/globex/members')
  await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.com')
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Viewer')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  await expect(page.getByRole('row', { name: /grace@example\.com Viewer/ })).toBeVisible()
  await screenshots('members')

  await page.goto(link)
  await expect(page.getByText('You are signed in as ada@example.com')).toBeVisible()
  await screenshots('invitation-wrong-account')
  await context.clearCookies()
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in to join' }).click()
  await expect(page).toHaveURL(/\/login\?next=%2Finvitations%2F/)
  await signIn('grace')
  await page.goto(link)
  await screenshots('invitation')
  await page.getByRole('button', { name: 'Join as Grace Hopper' }).click()
  await expect(page).toHaveURL(/\/workspaces\/globex$/)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible()

  await context.clearCookies()
  await signIn('ada')
  await page.goto('/account/notifications')
  const told = page.getByRole('listitem').filter({ hasText: 'Grace Hopper joined Globex' })
  await expect(told).toContainText('Unread')
  await screenshots('notifications')
  await told.getByRole('button', { name: 'Mark as read' }).press('Enter')
  await expect(told).not.toContainText('Unread')
  await told.getByRole('link', { name: 'Look into it' }).click()
  await page.getByRole('combobox', { name: 'Role of Grace Hopper' }).selectOption('Member')
  await page.getByRole('button', { name: 'Save role of Grace Hopper' }).click()
  await expect(page.getByText('Role of Grace Hopper changed')).toBeVisible()

  await context.clearCookies()
  await signIn('grace')
  await page.goto('/workspaces/globex/members')
  await expect(page.getByRole('row', { name: /Grace Hopper/ })).toContainText('Member')
  await expect(page.getByRole('combobox')).toHaveCount(0)
  await page.getByRole('button', { name: 'Leave workspace' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).not.toHaveURL(/globex/)
})

test('the last admin keeps the role, and is told why', async ({ page, signIn }) => {
  await signIn('ada')
  await page.goto('/workspaces/acme/members')
  await page.getByRole('combobox', { name: 'Role of Ada Lovelace' }).selectOption('Viewer')
  await page.getByRole('button', { name: 'Save role of Ada Lovelace' }).click()
  const reason = 'This is the last admin of the workspace. Make someone else an admin first.'
  await expect(page.getByRole('combobox', { name: 'Role of Ada Lovelace' })).toHaveAccessibleDescription(
    reason,
  )
  await page.getByRole('button', { name: 'Leave workspace' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(reason)
})

test('an invitation is taken back, and its link is dead', async ({ page, signIn }) => {
  await signIn('ada')
  await page.goto('/workspaces/acme/members')
  await page.getByRole('textbox', { name: 'Email' }).fill('GRACE@example.com')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription(
    'This person is a member already.',
  )
  await page.getByRole('textbox', { name: 'Email' }).fill('barbara@example.com')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  await page.getByRole('button', { name: 'Revoke the invitation of barbara@example.com' }).click()
  await page.getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(page.getByRole('row', { name: /barbara/ })).toHaveCount(0)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible()
})

test('an admin chooses how to be told about a workspace', async ({ page, signIn }) => {
  await signIn('ada')
  await page.goto('/account/notifications')
  const rules = page.getByRole('form', { name: 'Rules for Globex' })
  const joins = rules.getByRole('group', { name: 'Someone joins it' })
  await expect(joins.getByRole('checkbox', { name: 'Here' })).toBeChecked()
  await joins.getByRole('checkbox', { name: 'Email' }).check()
  await rules.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Rules for Globex saved')).toBeVisible()
  await page.reload()
  await expect(joins.getByRole('checkbox', { name: 'Email' })).toBeChecked()
})
