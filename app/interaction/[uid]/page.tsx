import { metadataOf, underNext } from '@/app/door/under-next'
import { interaction } from './door'

export const metadata = metadataOf(interaction)
export default underNext(interaction)
