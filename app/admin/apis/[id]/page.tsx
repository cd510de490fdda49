import type { Metadata } from 'next'
import { cache } from 'react'
import { ApiSettingsForm } from '@/components/apis/api-form'
import { ApiScopeTable, ApiSecretsSection, DeleteApiSection } from '@/components/apis/api-sections'
import { ConnectSection } from '@/components/apis/connect-section'
import { PageHeader } from '@/components/frame/page-header'
import { PictureForm } from '@/components/pictures/picture-form'
import { Badge } from '@/components/ui/badge'
import { Boxes } from '@/components/ui/stack'
import { issuer, routes } from '@/lib/edges/oauth/protocol/routes'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { pictureRefusal } from '@/lib/edges/web/forms/answer-picture-form'
import { getApi, secretsOfApis } from '@/lib/features/resources/list-apis'
import { openInstanceAdmin } from '../../open-instance-admin'
import * as actions from '../actions'

type Props = {
  params: Promise<{ id: string }>
  searchParams: Promise<{ error?: string | string[] }>
}

/** Returns the API. Reads the API once per request for both the title and the content of the page. */
const readApi = cache(getApi)

async function openApi(params: Props['params']) {
  const { id } = await params
  const { actor } = await openInstanceAdmin(`/admin/apis/${id}`)
  return orNotFound(readApi(actor, id))
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await openApi(params)).name }
}

export default async function ApiPage({ params, searchParams }: Props) {
  const api = await openApi(params)
  const [secrets = []] = await secretsOfApis([api.id])
  return (
    <>
      <PageHeader
        title={api.name}
        trail={[{ label: 'APIs', href: '/admin/apis' }]}
        badge={api.fromFile && <Badge>From file</Badge>}
        description={<span dir="ltr">{api.identifier}</span>}
      />
      <Boxes>
        {api.fromFile ? (
          <ApiScopeTable scopes={api.scopes} />
        ) : (
          <ApiSettingsForm api={api} action={actions.updateApiAction} />
        )}
        <PictureForm
          at="logo"
          title="Logo"
          description="Shown on the consent page and in authorized apps."
          label="New logo"
          owner={api.name}
          ownerId={api.id}
          src={api.logoUrl}
          shape="square"
          action={`/admin/apis/${api.id}/logo`}
          refused={await pictureRefusal((await searchParams).error, 'logo')}
        />
        <ApiSecretsSection
          apiId={api.id}
          secrets={secrets}
          add={actions.addApiSecretAction}
          revoke={actions.revokeApiSecretAction}
        />
        <ConnectSection
          api={api}
          endpoints={{
            issuer: issuer(),
            authorization: issuer() + routes.authorization,
            introspection: issuer() + routes.introspection,
            jwks: issuer() + routes.jwks,
          }}
        />
        {!api.fromFile && <DeleteApiSection api={api} action={actions.deleteApiAction} />}
      </Boxes>
    </>
  )
}
