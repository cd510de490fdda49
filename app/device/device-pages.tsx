import {
  type AuthPage,
  cookieHeader,
  queryValue,
  sessionOf,
  translatorForVisitor,
} from '@/app/auth-pages/auth-page'
import { readBrand } from '@/app/brand'
import { projectError } from '@/app/interaction/consent-page'
import { AppUnavailable } from '@/components/consent/app-unavailable'
import { offersSelection } from '@/components/consent/consent-form'
import { DeviceCodeForm, DeviceDone } from '@/components/device/device-code-form'
import { DeviceConfirm, DeviceDetails } from '@/components/device/device-confirm'
import { AuthFrame } from '@/components/frame/auth-frame'
import { signInPath } from '@/lib/base/http/safe-next'
import type { PlainMessageKey } from '@/lib/base/language/say'
import { loadDeviceView, openOutcome } from '@/lib/edges/oauth/interaction/device-forms'

const errors = new Map<string, PlainMessageKey>([
  ['unknown', 'device.unknown'],
  ['gone', 'device.gone'],
  ['limit', 'device.limit'],
])

/**
 * The device page, on which a user enters the code of a device. After the decision, the page shows the
 * outcome.
 */
export const devicePage: AuthPage = {
  async show(visit) {
    const say = translatorForVisitor(visit)
    const error = errors.get(queryValue(visit, 'error') ?? '')
    const done = queryValue(visit, 'done')
    return {
      say,
      title: say('device.title'),
      page: (
        <AuthFrame brand={readBrand()} say={say}>
          {done === 'authorized' || done === 'denied' ? (
            <DeviceDone say={say} appName={openOutcome(queryValue(visit, 'app'))} outcome={done} />
          ) : (
            <DeviceCodeForm
              say={say}
              action="/device/code"
              code={queryValue(visit, 'user_code')}
              error={error && say(error)}
            />
          )}
        </AuthFrame>
      ),
    }
  },
}

/**
 * The page on which a signed-in user allows or denies a device access. It shows the app, the requested
 * permissions, and where the request came from. Users who must sign in, for the first time or again, are
 * redirected to the sign-in page.
 */
export const deviceConfirmPage: AuthPage = {
  async show(visit) {
    const ticket = queryValue(visit, 'request') ?? ''
    const here = `/device/confirm?${new URLSearchParams({ request: ticket })}`
    const selected = queryValue(visit, 'selected') ?? ''
    const view = await loadDeviceView(ticket, await sessionOf(visit), selected, cookieHeader(visit))
    if (view === 'gone') return { to: '/device?error=gone' }
    if (view === 'sign-in') return { to: signInPath(here) }
    const say = translatorForVisitor(visit, view.uiLocales)
    const answer = { action: '/device/decision', fields: { request: ticket } }
    const brand = readBrand()
    if (view.unavailable) {
      return {
        say,
        title: say('device.title'),
        page: (
          <AuthFrame brand={brand} say={say} logo={false}>
            <AppUnavailable
              say={say}
              brand={brand}
              app={view.app}
              why={view.unavailable}
              user={view.user}
              here={here}
              {...answer}
            />
          </AuthFrame>
        ),
      }
    }
    return {
      say,
      title: say('device.title'),
      page: (
        <AuthFrame brand={brand} say={say} logo={false} wide={offersSelection(view)}>
          <DeviceConfirm
            say={say}
            brand={brand}
            app={view.app}
            user={view.user}
            workspaces={view.workspaces}
            projects={view.projects}
            {...(!view.test && { code: view.userCode, requestedFrom: view.requestedFrom })}
            {...answer}
            switchAccountAction="/logout"
            switchAccountFields={{ next: here }}
          >
            <DeviceDetails
              say={say}
              view={view}
              refused={queryValue(visit, 'refused')}
              asked={queryValue(visit, 'asked')}
              projectError={projectError(say, queryValue(visit, 'project'))}
            />
          </DeviceConfirm>
        </AuthFrame>
      ),
    }
  },
}
