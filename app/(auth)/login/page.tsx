import { metadataOf, underNext } from '@/app/door/under-next'
import { login } from './door'

export const generateMetadata = metadataOf(login)
export default underNext(login)
