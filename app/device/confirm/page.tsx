import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { readBrand } from '@/app/brand'
import { PersonLine } from '@/components/consent/person-line'
import { DeviceConfirm } from '@/components/device/device-confirm'
import { DeviceDetails } from '@/components/device/device-details'
import { CardFrame } from '@/components/frame/card-frame'
import { signInPath } from '@/lib/base/http/safe-next'
import { loadDeviceView } from '@/lib/edges/oauth/device/device-view'
import { currentSession } from '@/lib/edges/web/session/current-session'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export const metadata: Metadata = { title: 'Connect a device' }

/** Which app asks, from where and for what, before a device gets access. */
export default async function ConfirmDevicePage({ searchParams }: Props) {
  const { request, refused, selected } = await searchParams
  const ticket = String(request ?? '')
  const here = `/device/confirm?${new URLSearchParams({ request: ticket })}`
  const view = await loadDeviceView(ticket, await currentSession(), String(selected ?? ''))
  if (view === 'gone') redirect('/device?error=gone')
  if (view === 'sign-in') redirect(signInPath(here))
  return (
    <CardFrame brand={readBrand()}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <PersonLine person={view.person} action="/logout" fields={{ next: here }} />
        <DeviceConfirm
          app={view.app}
          code={view.userCode}
          action="/device/decision"
          fields={{ request: ticket }}
          requestedFrom={view.requestedFrom}
        >
          <DeviceDetails view={view} refused={typeof refused === 'string' ? refused : undefined} />
        </DeviceConfirm>
      </div>
    </CardFrame>
  )
}
