import { Time } from './time'

/** When something was last used, or that it never was. */
export const LastUsed = ({ at }: { at: Date | null }) => (at ? <Time at={at} /> : 'Never')
