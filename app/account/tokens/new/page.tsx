import type { Metadata } from 'next'
import { NewTokenForm } from '@/components/api-tokens/new-token-form'
import { requireSession } from '@/lib/edges/web/current-session'
import { listTokenPlaces } from '@/lib/features/api-tokens/list-api-tokens'
import { createTokenAction } from '../actions'

export const metadata: Metadata = { title: 'New token' }

export default async function NewTokenPage() {
  const { actor } = await requireSession('/account/tokens/new')
  const places = (await listTokenPlaces(actor)).map((place) => ({
    value: `${place.kind}:${place.id}`,
    label: place.kind === 'project' ? `${place.workspace} / ${place.name}` : place.name,
  }))
  return (
    <NewTokenForm
      places={places}
      title="Access"
      description="Requests with this token act on your behalf, with up to the same access as you."
      trail={[{ label: 'Tokens', href: '/account/tokens' }]}
      envName="API_TOKEN"
      listHref="/account/tokens"
      action={createTokenAction}
    />
  )
}
