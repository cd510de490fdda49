import { readBrand } from '@/app/brand'
import { type DoorPage, one, sayTo } from '@/app/door/door-page'
import { DeviceCodeForm, DeviceDone } from '@/components/device/device-code-form'
import { DoorFrame } from '@/components/frame/door-frame'
import type { PlainMessageKey } from '@/lib/base/language/say'
import { openOutcome } from '@/lib/edges/oauth/interaction/device-forms'

const errors = new Map<string, PlainMessageKey>([
  ['unknown', 'device.unknown'],
  ['gone', 'device.gone'],
  ['limit', 'device.limit'],
])

/** Where a person types a device's code; at the end, what became of it. */
export const device: DoorPage = {
  async show(visit) {
    const say = sayTo(visit)
    const error = errors.get(one(visit, 'error') ?? '')
    const done = one(visit, 'done')
    return {
      say,
      title: say('device.title'),
      page: (
        <DoorFrame brand={readBrand()} say={say}>
          {done === 'authorized' || done === 'denied' ? (
            <DeviceDone say={say} appName={openOutcome(one(visit, 'app'))} outcome={done} />
          ) : (
            <DeviceCodeForm
              say={say}
              action="/device/code"
              code={one(visit, 'user_code')}
              error={error && say(error)}
            />
          )}
        </DoorFrame>
      ),
    }
  },
}
