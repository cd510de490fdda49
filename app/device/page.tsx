import { metadataOf, underNext } from '@/app/door/under-next'
import { device } from './door'

export const metadata = metadataOf(device)
export default underNext(device)
