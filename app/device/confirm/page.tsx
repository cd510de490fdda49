import { metadataOf, underNext } from '@/app/door/under-next'
import { confirmDevice } from './door'

export const generateMetadata = metadataOf(confirmDevice)
export default underNext(confirmDevice)
