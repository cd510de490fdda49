import { readBrand } from '@/app/brand'
import { type DoorPage, sessionOf } from '@/app/door/door-page'
import { PersonLine } from '@/components/consent/person-line'
import { DeviceConfirm } from '@/components/device/device-confirm'
import { DeviceDetails } from '@/components/device/device-details'
import { CardFrame } from '@/components/frame/card-frame'
import { signInPath } from '@/lib/base/http/safe-next'
import { loadDeviceView } from '@/lib/edges/oauth/device/device-view'

/** Which app asks, from where and for what, before a device gets access. */
export const confirmDevice: DoorPage = {
  title: 'Connect a device',
  async show(visit) {
    const { request, refused, selected, asked } = visit.query
    const ticket = String(request ?? '')
    const here = `/device/confirm?${new URLSearchParams({ request: ticket })}`
    const view = await loadDeviceView(ticket, await sessionOf(visit), String(selected ?? ''))
    if (view === 'gone') return { to: '/device?error=gone' }
    if (view === 'sign-in') return { to: signInPath(here) }
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
            <DeviceDetails
              view={view}
              refused={typeof refused === 'string' ? refused : undefined}
              asked={typeof asked === 'string' ? asked : undefined}
            />
          </DeviceConfirm>
        </div>
      </CardFrame>
    )
  },
}
