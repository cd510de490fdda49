import { ssoSignInPage } from '@/app/(auth)/sign-in-pages'
import { underNext } from '@/app/auth-pages/under-next'

const { generateMetadata, Page } = underNext(ssoSignInPage)

export { generateMetadata, Page as default }
