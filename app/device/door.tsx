import { readBrand } from '@/app/brand'
import type { DoorPage } from '@/app/door/door-page'
import { DeviceCodeForm } from '@/components/device/device-code-form'
import { DeviceDone } from '@/components/device/device-done'
import { CardFrame } from '@/components/frame/card-frame'

const errors: Record<string, string> = {
  unknown: 'There is no device waiting with this code. Check it, or start again on the device.',
  gone: 'This code was already used, or it has expired. Start again on the device.',
  limit: 'Too many codes were tried from your address. Wait a few minutes, then try again.',
}

/** Where a person types a device's code; at the end, what became of it. */
export const device: DoorPage = {
  title: 'Connect a device',
  async show(visit) {
    const { user_code: code, error, done } = visit.query
    return (
      <CardFrame brand={readBrand()}>
        {done === 'authorized' || done === 'denied' ? (
          <DeviceDone appName="The app" outcome={done} />
        ) : (
          <DeviceCodeForm
            action="/device/code"
            code={typeof code === 'string' ? code : undefined}
            error={typeof error === 'string' ? errors[error] : undefined}
          />
        )}
      </CardFrame>
    )
  },
}
