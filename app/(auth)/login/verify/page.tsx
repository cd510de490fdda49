import { secondStepPage } from '@/app/(auth)/sign-in-pages'
import { underNext } from '@/app/auth-pages/under-next'

const { generateMetadata, Page } = underNext(secondStepPage)

export { generateMetadata, Page as default }
