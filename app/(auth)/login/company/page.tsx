import { companySignInPage } from '@/app/(auth)/sign-in-pages'
import { underNext } from '@/app/auth-pages/under-next'

const { generateMetadata, Page } = underNext(companySignInPage)

export { generateMetadata, Page as default }
