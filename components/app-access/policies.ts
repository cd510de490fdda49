/** The policies as people read them, the widest first. */
export const policies = {
  OPEN: {
    label: "Everybody's apps",
    hint: 'Each member decides which apps to let in, as far as their own role goes. Blocked apps stay outside.',
  },
  APPROVED: {
    label: 'Apps approved here',
    hint: 'Apps of others come in once an admin has approved them, and no further than approved. Members can ask.',
  },
  OWN: { label: 'Own apps only', hint: 'Only apps made in this workspace come in.' },
} as const

export type Policy = keyof typeof policies
