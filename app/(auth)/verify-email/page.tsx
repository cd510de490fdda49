import { verifyEmailPage } from '@/app/(auth)/account-pages'
import { underNext } from '@/app/auth-pages/under-next'

const { generateMetadata, Page } = underNext(verifyEmailPage)

export { generateMetadata, Page as default }
