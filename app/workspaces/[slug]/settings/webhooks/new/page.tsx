import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { NewWebhookForm } from '@/components/webhooks/webhook-form'
import { createWebhookAction } from '../actions'
import { placeOfWebhooks } from '../open-webhook'

export const metadata: Metadata = { title: 'New webhook' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<{ app?: string | string[] }> }

/** The page on which admins create a webhook for the workspace or, with `?app=`, for an app. */
export default async function NewWebhookPage({ params, searchParams }: Props) {
  const opened = await openWorkspace(
    (await params).slug,
    '/settings/webhooks/new',
    'workspace:manage-webhooks',
  )
  const { app } = await searchParams
  const place = await placeOfWebhooks(opened, typeof app === 'string' ? app : null)
  return <NewWebhookForm workspaceId={opened.workspace.id} {...place} action={createWebhookAction} />
}
