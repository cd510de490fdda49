import { resetPasswordPage } from '@/app/(auth)/account-pages'
import { underNext } from '@/app/auth-pages/under-next'

const { generateMetadata, Page } = underNext(resetPasswordPage)

export { generateMetadata, Page as default }
