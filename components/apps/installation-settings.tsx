import { config } from '@/lib/base/config/env'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { InstallableSection } from './installable-section'

/** Whether an app can be installed into workspaces; a native app cannot, and has nothing to choose. */
export function InstallationSettings({
  app,
  action,
}: {
  app: { id: string; type: 'WEB' | 'NATIVE'; installScopes: string[] }
  action: FormAction
}) {
  if (app.type === 'NATIVE') return null
  const link = `${config().BASE_URL}/install?client_id=${encodeURIComponent(app.id)}`
  return <InstallableSection clientId={app.id} scopes={app.installScopes} link={link} action={action} />
}
