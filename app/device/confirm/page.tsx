import { underNext } from '@/app/auth-pages/under-next'
import { deviceConfirmPage } from '@/app/device/device-pages'

const { generateMetadata, Page } = underNext(deviceConfirmPage)

export { generateMetadata, Page as default }
