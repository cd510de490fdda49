import { underNext } from '@/app/auth-pages/under-next'
import { devicePage } from '@/app/device/device-pages'

const { generateMetadata, Page } = underNext(devicePage)

export { generateMetadata, Page as default }
