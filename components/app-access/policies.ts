/** The policies as people read them, the widest first. */
export const policies = {
  OPEN: {
    label: 'Everyone’s apps',
    hint: 'Members choose which apps to let in, within their own role. Blocked apps stay out.',
  },
  APPROVED: {
    label: 'Apps approved here',
    hint: 'An admin approves each app from outside, and sets how far it goes. Members can ask.',
  },
  OWN: { label: 'Own apps only', hint: 'Only apps made in this workspace come in.' },
} as const

export type Policy = keyof typeof policies
