import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeader, SubNav } from '@/components/frame/page-header'
import { Breakable } from '@/components/ui/breakable'
import { WebhookBadge } from '@/components/webhooks/webhook-table'
import { openWebhook } from '../open-webhook'

type Props = { params: Promise<{ slug: string; id: string }>; children: ReactNode }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { host } = new URL((await openWebhook(params)).webhook.url)
  return { title: { default: host, template: `%s · ${host}` } }
}

/** A webhook's URL, state, and tabs. */
export default async function WebhookLayout({ params, children }: Props) {
  const { webhook, trail, href, disabled } = await openWebhook(params)
  return (
    <>
      <PageHeader
        title="Webhook"
        trail={trail}
        badge={<WebhookBadge disabled={disabled} />}
        description={
          <span className="wrap-anywhere font-mono text-[13px]">
            <Breakable text={webhook.url} />
          </span>
        }
      />
      <SubNav
        label="Webhook"
        items={[
          { label: 'Deliveries', href, exact: true },
          { label: 'Settings', href: `${href}/settings` },
        ]}
      />
      {children}
    </>
  )
}
