import { readBrand } from '@/app/brand'
import { type DoorPage, one, sayTo, sessionOf } from '@/app/door/door-page'
import { projectError } from '@/app/interaction/[uid]/show-consent'
import { KeptOut } from '@/components/consent/kept-out'
import { NotYouForm, PersonLine } from '@/components/consent/publisher'
import { DeviceConfirm, DeviceDetails } from '@/components/device/device-confirm'
import { DoorFrame } from '@/components/frame/door-frame'
import { signInPath } from '@/lib/base/http/safe-next'
import { loadDeviceView } from '@/lib/edges/oauth/interaction/device-forms'

/** Which app asks, from where and for what, before a device gets access. */
export const confirmDevice: DoorPage = {
  async show(visit) {
    const ticket = one(visit, 'request') ?? ''
    const here = `/device/confirm?${new URLSearchParams({ request: ticket })}`
    const view = await loadDeviceView(ticket, await sessionOf(visit), one(visit, 'selected') ?? '')
    if (view === 'gone') return { to: '/device?error=gone' }
    if (view === 'sign-in') return { to: signInPath(here) }
    const say = sayTo(visit, view.uiLocales)
    const answer = { action: '/device/decision', fields: { request: ticket } }
    if (view.keptOut) {
      const brand = readBrand()
      return {
        say,
        title: say('device.title'),
        page: (
          <DoorFrame brand={brand} say={say} logo={false}>
            <KeptOut
              say={say}
              brand={brand}
              app={view.app}
              why={view.keptOut}
              person={view.person}
              here={here}
              {...answer}
            />
          </DoorFrame>
        ),
      }
    }
    return {
      say,
      title: say('device.title'),
      page: (
        <DoorFrame brand={readBrand()} say={say}>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <NotYouForm action="/logout" fields={{ next: here }} />
            <DeviceConfirm
              say={say}
              app={view.app}
              code={view.userCode}
              {...answer}
              requestedFrom={view.requestedFrom}
            >
              <PersonLine say={say} person={view.person} />
              <DeviceDetails
                say={say}
                view={view}
                refused={one(visit, 'refused')}
                asked={one(visit, 'asked')}
                projectError={projectError(say, one(visit, 'project'))}
              />
            </DeviceConfirm>
          </div>
        </DoorFrame>
      ),
    }
  },
}
