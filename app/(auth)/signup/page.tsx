import { metadataOf, underNext } from '@/app/door/under-next'
import { signup } from './door'

export const metadata = metadataOf(signup)
export default underNext(signup)
