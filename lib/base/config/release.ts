import { version } from '@/package.json'

/** Which release of the product this is. */
export const release: string = version
