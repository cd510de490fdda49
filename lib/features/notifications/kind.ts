import type { Notification, Prisma } from '@/lib/generated/prisma/client'
import { NotificationType } from '@/lib/generated/prisma/enums'

/**
 * What a notification is stored as, where a release that may still serve beside this one, or serve again after a rollback, has no
 * word for what it is about: its Prisma refuses a whole page for one value that it does not know. It shows the title and the
 * text as they are, under the nearest that it knows. A kind that comes to `NotificationType` comes here too, for good: no value is
 * added to the type in the database. See decision 175.
 */
const nearest: Partial<Record<NotificationType, NotificationType>> = {
  APP_REQUESTED: 'MEMBER_ADDED',
  APP_DECIDED: 'APP_AUTHORIZED',
}

/** How a kind is written down. */
export const storedKind = (kind: NotificationType) => ({
  type: nearest[kind] ?? kind,
  kind: nearest[kind] ? kind : null,
})

/** What a notification is about; for a kind of a later release the nearest that this one knows. */
export const kindOf = ({ kind, type }: Pick<Notification, 'kind' | 'type'>): NotificationType =>
  isKnown(kind) ? kind : type

const isKnown = (kind: string | null): kind is NotificationType => kind !== null && kind in NotificationType

/** Those about one of some kinds. */
export const ofKinds = (kinds: readonly NotificationType[]): Prisma.NotificationWhereInput => ({
  OR: [
    { kind: { in: [...kinds] } },
    {
      type: { in: [...kinds] },
      OR: [{ kind: null }, { kind: { notIn: Object.values(NotificationType) } }],
    },
  ],
})
