import { metadataOf, underNext } from '@/app/door/under-next'
import { device } from './door'

export const generateMetadata = metadataOf(device)
export default underNext(device)
