import { forgotPasswordPage } from '@/app/(auth)/account-pages'
import { underNext } from '@/app/auth-pages/under-next'

const { generateMetadata, Page } = underNext(forgotPasswordPage)

export { generateMetadata, Page as default }
