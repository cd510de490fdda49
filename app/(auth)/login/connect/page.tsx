import { metadataOf, underNext } from '@/app/door/under-next'
import { connect } from './door'

export const generateMetadata = metadataOf(connect)
export default underNext(connect)
