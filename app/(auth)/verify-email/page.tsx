import { metadataOf, underNext } from '@/app/door/under-next'
import { verifyEmail } from './door'

export const generateMetadata = metadataOf(verifyEmail)
export default underNext(verifyEmail)
