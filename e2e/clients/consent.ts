import type { Page } from '@playwright/test'

export type Choice = { workspaces?: string[]; projects?: string[]; deny?: boolean }

/** Decides on the consent page as a user would: selects what to share, then presses a button. */
export async function decide(page: Page, { workspaces = [], projects = [], deny = false }: Choice = {}) {
  const tick = (group: string, name: string) =>
    page.getByRole('group', { name: group }).getByRole('checkbox', { name }).check()
  for (const name of workspaces) await tick('Workspaces', name)
  for (const name of projects) await tick('Projects', name)
  await page.getByRole('button', { name: deny ? 'Deny' : 'Authorize', exact: true }).click()
}
