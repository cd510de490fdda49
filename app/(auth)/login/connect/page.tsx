import { connectPage } from '@/app/(auth)/sign-in-pages'
import { underNext } from '@/app/auth-pages/under-next'

const { generateMetadata, Page } = underNext(connectPage)

export { generateMetadata, Page as default }
