import type { Page } from '@playwright/test'

export type App = { clientId: string; clientSecret: string }

/**
 * Creates an OAuth app in the settings of a workspace that the signed-in user administers. The default
 * workspace is Acme.
 * @returns the app's credentials; a native app's client secret is empty
 */
export async function createApp(
  page: Page,
  app: {
    name: string
    type: 'Web' | 'Native'
    redirectUris: string[]
    workspace?: string | undefined
    base?: string
  },
): Promise<App> {
  await page.goto(`${app.base ?? ''}/workspaces/${app.workspace ?? 'acme'}/settings/developer/new`)
  await page.getByRole('textbox', { name: 'App name' }).fill(app.name)
  await page.getByRole('textbox', { name: 'Redirect URIs' }).fill(app.redirectUris.join('\n'))
  await page.getByRole('radio', { name: app.type }).check()
  await page.getByRole('button', { name: 'Create app' }).click()
  const clientId = await page.getByRole('textbox', { name: 'Client ID' }).inputValue()
  const clientSecret =
    app.type === 'Web' ? await page.getByRole('textbox', { name: 'Client secret' }).inputValue() : ''
  return { clientId, clientSecret }
}
