import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { AppStatus, ClientId } from '@/components/apps/app-facts'
import { TrySignInButton } from '@/components/apps/try-sign-in'
import { PageHeader, SubNav } from '@/components/frame/page-header'
import { AppLogo } from '@/components/ui/avatar'
import { TextLink } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { whyUntestable } from '@/lib/edges/oauth/try-sign-in/try-sign-in'
import { readDomain } from '@/lib/features/apps/app-domain'
import { graceEnd } from '@/lib/policy/app-status'
import { openApp, testSignInScope } from '../open-app'

type Props = { params: Promise<{ slug: string; clientId: string }>; children: ReactNode }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = (await openApp(params)).app
  return { title: { default: name, template: `%s · ${name}` } }
}

/**
 * The name, status, and tabs of an app. The path of the settings page has no segment of its own, because this
 * page was originally the only page of an app.
 */
export default async function AppLayout({ params, children }: Props) {
  const { app, developerHref, address } = await openApp(params)
  const domain = await readDomain(app.id)
  const items = [
    { label: 'Overview', href: `${address}/overview` },
    { label: 'Settings', href: address, exact: true },
    { label: 'Credentials', href: `${address}/credentials` },
    { label: 'Activity', href: `${address}/activity` },
    { label: 'People', href: `${address}/people` },
    { label: 'Danger', href: `${address}/danger` },
  ]
  return (
    <>
      <PageHeader
        title={app.name}
        trail={[{ label: 'Developer', href: developerHref }]}
        mark={<AppLogo app={app} className="size-11 text-[15px]" />}
        badge={<AppStatus app={app} domain={domain?.verifiedAt ? domain.domain : undefined} />}
        description={<ClientId value={app.id} />}
        action={!whyUntestable(app) && <TrySignInButton address={address} scope={testSignInScope(app)} />}
      />
      <SubNav label="App" items={items} />
      {app.transferredAt && (
        <p className="text-warning">
          This app’s transfer is unfinished. <TextLink href={`${address}/credentials`}>Finish it</TextLink>{' '}
          before <Time at={graceEnd(app.transferredAt)} />. After that, the app is disabled.
        </p>
      )}
      {children}
    </>
  )
}
