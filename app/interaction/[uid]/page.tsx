import { underNext } from '@/app/auth-pages/under-next'
import { interactionPage } from '@/app/interaction/consent-page'

const { generateMetadata, Page } = underNext(interactionPage)

export { generateMetadata, Page as default }
