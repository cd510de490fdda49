import { metadataOf, underNext } from '@/app/door/under-next'
import { forgotPassword } from './door'

export const generateMetadata = metadataOf(forgotPassword)
export default underNext(forgotPassword)
