import type { Metadata } from 'next'
import { KeyCredentials } from '@/components/apps/app-facts'
import { FinishTransferSection } from '@/components/apps/finish-transfer-section'
import { SecretsSection } from '@/components/apps/secrets-section'
import { Stack } from '@/components/ui/stack'
import { hasKey, needsKeys } from '@/lib/features/apps/app-metadata'
import { editableApp } from '@/lib/features/apps/update-app'
import { graceEnd } from '@/lib/policy/app-status'
import * as actions from '../../actions'
import { openApp } from '../../open-app'

export const metadata: Metadata = { title: 'Credentials' }

export default async function AppCredentialsPage({
  params,
}: {
  params: Promise<{ slug: string; clientId: string }>
}) {
  const { app, address } = await openApp(params, '/credentials')
  return (
    <Stack>
      <FinishTransferSection
        app={{
          id: app.id,
          redirectUris: app.redirectUris,
          postLogoutRedirectUris: app.postLogoutRedirectUris,
          keyed: hasKey(app),
          needsKeys: needsKeys(app),
          native: app.type === 'NATIVE',
        }}
        endsAt={app.transferredAt && graceEnd(app.transferredAt)}
        finish={actions.finishTransferAction}
      />
      {app.type === 'WEB' && !hasKey(app) ? (
        <SecretsSection
          clientId={app.id}
          secrets={app.secrets}
          add={actions.addSecretAction}
          revoke={actions.revokeSecretAction}
        />
      ) : (
        <KeyCredentials app={editableApp(app)} settingsHref={address} />
      )}
    </Stack>
  )
}
