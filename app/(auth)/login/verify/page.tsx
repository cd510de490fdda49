import { metadataOf, underNext } from '@/app/door/under-next'
import { secondStep } from './door'

export const generateMetadata = metadataOf(secondStep)
export default underNext(secondStep)
