import { signInPage } from '@/app/(auth)/sign-in-pages'
import { underNext } from '@/app/auth-pages/under-next'

const { generateMetadata, Page } = underNext(signInPage)

export { generateMetadata, Page as default }
