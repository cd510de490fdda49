import { metadataOf, underNext } from '@/app/door/under-next'
import { forgotPassword } from './door'

export const metadata = metadataOf(forgotPassword)
export default underNext(forgotPassword)
