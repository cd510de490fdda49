import { metadataOf, underNext } from '@/app/door/under-next'
import { signup } from './door'

export const generateMetadata = metadataOf(signup)
export default underNext(signup)
