import { metadataOf, underNext } from '@/app/door/under-next'
import { interaction } from './door'

export const generateMetadata = metadataOf(interaction)
export default underNext(interaction)
