import type { Page } from '@playwright/test'
import { findBarriers } from './support/accessibility'
import { awaken } from './support/palette'
import { addMember, invite, signUp } from './support/sign-up'
import { expect, test } from './support/test'

/** Returns the button that opens a member's role menu. */
const role = (page: Page, name: string, now: string) =>
  page.getByRole('button', { name: `Role of ${name}: ${now}` })

async function chooseRole(page: Page, name: string, now: string, next: string): Promise<void> {
  await role(page, name, now).click()
  await page.getByRole('menu').getByRole('menuitemradio', { name: next }).click()
}

/** Creates a workspace with two viewers, and signs in as its admin. @returns the path of the workspace */
async function makeTeam(page: Page): Promise<string> {
  const { home } = await signUp(page, 'Ada Admin')
  await addMember(page, home, 'Grace Hopper', 'Viewer')
  await addMember(page, home, 'Edsger Dijkstra', 'Viewer')
  return home
}

test('an invited user joins with a link, an admin is notified and changes the user’s role, and the user leaves', async ({
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
  await page.goto(`${admin.home}/members/invitations`)
  await expect(page.getByRole('row', { name: `${grace.email} Viewer` })).toBeVisible()
  await screenshots('members-invitations')

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
  const notification = page.getByRole('listitem').filter({ hasText: 'Grace Guest joined' })
  await expect(notification).toContainText('Unread')
  await screenshots('notifications')
  await notification.getByRole('button', { name: 'Mark as read' }).press('Enter')
  await expect(notification).not.toContainText('Unread')
  await notification.getByRole('link', { name: 'View' }).click()
  await awaken(page)
  await screenshots('members')
  await chooseRole(page, 'Grace Guest', 'Viewer', 'Member')
  await expect(page.getByText('Role of Grace Guest changed')).toBeVisible()
  await expect(role(page, 'Grace Guest', 'Member')).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(role(page, 'Grace Guest', 'Viewer')).toBeVisible()
  await page.reload()
  await awaken(page)
  await chooseRole(page, 'Grace Guest', 'Viewer', 'Admin')
  const dialog = page.getByRole('dialog', { name: 'Make Grace Guest an admin?' })
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(role(page, 'Grace Guest', 'Viewer')).toBeVisible()
  await chooseRole(page, 'Grace Guest', 'Viewer', 'Admin')
  await dialog.getByRole('button', { name: 'Make admin' }).click()
  await expect(role(page, 'Grace Guest', 'Admin')).toBeVisible()
  await chooseRole(page, 'Grace Guest', 'Admin', 'Member')
  await expect(role(page, 'Grace Guest', 'Member')).toBeVisible()

  await context.addCookies(asGrace)
  await page.goto(`${admin.home}/members`)
  await expect(page.getByRole('row', { name: /Grace Guest/ })).toContainText('Member')
  await expect(role(page, 'Grace Guest', 'Member')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Invite people' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Leave workspace' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).not.toHaveURL(new RegExp(admin.home))
})

test('the last admin cannot change their own role or leave, and sees the reason', async ({
  page,
  signIn,
}) => {
  await signIn('ada')
  await page.goto('/workspaces/acme/members')
  await awaken(page)
  const reason = 'This is the last admin of the workspace. Make someone else an admin first.'
  await chooseRole(page, 'Ada Lovelace', 'Admin', 'Viewer')
  const dialog = page.getByRole('dialog', { name: 'Make Ada Lovelace a viewer?' })
  await dialog.getByRole('button', { name: 'Make viewer' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(reason)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(role(page, 'Ada Lovelace', 'Admin')).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Leave workspace' }).click()
  await expect(page.getByRole('dialog')).toHaveAccessibleDescription(/lose/)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(reason)
})

test('an admin invites someone in a dialog and revokes the invitation', async ({ page, screenshots }) => {
  const { home, email } = await signUp(page)
  await page.goto(`${home}/members`)
  await awaken(page)
  await page.getByRole('link', { name: 'Invite people' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  const address = dialog.getByRole('textbox', { name: 'Email' })
  await expect(address).toBeFocused()
  expect(await findBarriers(page)).toEqual([])
  await screenshots('members-invite')
  await address.fill(email.toUpperCase())
  await page.keyboard.press('Enter')
  await expect(address).toHaveAccessibleDescription('This user is already a member.')
  await address.fill('barbara@example.com')
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption('Admin')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  const link = await dialog.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: /^Invitations/ }).click()
  await page.getByRole('button', { name: 'Revoke the invitation for barbara@example.com' }).click()
  await page.getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(page.getByRole('row', { name: /barbara/ })).toHaveCount(0)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This invitation no longer works' })).toBeVisible()
})

test('an admin searches and sorts members, changes the role of several members, and removes one', async ({
  page,
  screenshots,
}) => {
  const home = await makeTeam(page)
  await page.goto(`${home}/members`)
  await awaken(page)
  const rows = page.getByRole('table', { name: 'Members' }).getByRole('row')
  await expect(rows).toHaveCount(4)

  await page.getByRole('searchbox', { name: 'Search members' }).fill('grace')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(`${home}/members?search=grace`)
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect(rows).toHaveCount(4)
  await expect(page.getByRole('searchbox', { name: 'Search members' })).toBeFocused()
  await page.getByRole('columnheader', { name: 'User' }).getByRole('link').click()
  await expect(rows.nth(1)).toContainText('Grace Hopper')
  await expect(page.getByRole('columnheader', { name: 'User' })).toHaveAttribute('aria-sort', 'descending')
  await page.locator('summary').filter({ hasText: 'Role' }).click()
  await page.getByRole('link', { name: 'Viewer' }).click()
  await expect(rows).toHaveCount(3)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(page.getByText('2 selected', { exact: true })).toBeVisible()
  await screenshots('members-selected')
  await page.getByRole('button', { name: 'Change role…' }).click()
  const dialog = page.getByRole('dialog')
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('radio', { name: 'Member' }).check()
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await expect(page.getByText('Roles of 2 members changed')).toBeVisible()
  await expect(page.getByText('No member matches')).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(role(page, 'Grace Hopper', 'Member')).toBeVisible()

  await page.getByRole('button', { name: 'Actions for Grace Hopper' }).press('ArrowDown')
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Remove member' }).click()
  await expect(rows).toHaveCount(3)
  await expect(page.getByRole('row', { name: /Grace Hopper/ })).toHaveCount(0)
})

test('an admin turns on email notifications about new members of a workspace', async ({ page, signIn }) => {
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
