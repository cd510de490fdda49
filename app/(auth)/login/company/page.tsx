import { metadataOf, underNext } from '@/app/door/under-next'
import { companySignIn } from './door'

export const generateMetadata = metadataOf(companySignIn)
export default underNext(companySignIn)
