import { signUpPage } from '@/app/(auth)/account-pages'
import { underNext } from '@/app/auth-pages/under-next'

const { generateMetadata, Page } = underNext(signUpPage)

export { generateMetadata, Page as default }
