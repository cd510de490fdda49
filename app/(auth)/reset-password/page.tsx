import { metadataOf, underNext } from '@/app/door/under-next'
import { resetPassword } from './door'

export const generateMetadata = metadataOf(resetPassword)
export default underNext(resetPassword)
