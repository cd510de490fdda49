import type { Slot } from '@/lib/features/figures/read-figures'
import { figure } from '../apps/usage-format'

const moments = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** When a slot begins, as "21 Nov, 14:15". */
export const slotName = ({ begins }: { begins: Date }): string => moments.format(begins)

/** A time in milliseconds, or seconds where it takes so long. */
const took = (milliseconds: number | undefined): string =>
  milliseconds === undefined
    ? 'None'
    : milliseconds < 1_000
      ? `${figure(Math.round(milliseconds))} ms`
      : `${(milliseconds / 1_000).toFixed(1)} s`

const grants: Record<string, string> = {
  authorization_code: 'Authorization code',
  refresh_token: 'Refresh token',
  device_code: 'Device code',
}

/** A grant as people call it. */
const grantName = (grant: string): string => grants[grant] ?? grant

/** A figure of a slot: how it is named, read and written. */
export type ActivityMeasure = {
  label: string
  of: (slot: Slot) => number | undefined
  text: (value: number | undefined) => string
  /** What the whole time comes to: a sum, or the highest. */
  whole: 'sum' | 'highest'
  bad?: boolean
}

const counted = (value: number | undefined) => figure(value ?? 0)

/** The figures that are shown, those by grant as far as there are any. */
export function activityMeasures(slots: readonly Slot[]): ActivityMeasure[] {
  const used = [...new Set(slots.flatMap(({ tokens }) => Object.keys(tokens)))].sort()
  return [
    { label: 'Sign-ins', of: ({ signIns }) => signIns, text: counted, whole: 'sum' },
    {
      label: 'Sign-ins refused',
      of: ({ signInsRefused }) => signInsRefused,
      text: counted,
      whole: 'sum',
      bad: true,
    },
    ...(used.length > 0 ? used : ['authorization_code']).map(
      (grant): ActivityMeasure => ({
        label: `Tokens: ${grantName(grant)}`,
        of: ({ tokens }) => tokens[grant] ?? 0,
        text: counted,
        whole: 'sum',
      }),
    ),
    { label: 'Requests', of: ({ requests }) => requests, text: counted, whole: 'sum' },
    { label: 'Errors', of: ({ errors }) => errors, text: counted, whole: 'sum', bad: true },
    { label: 'Latency, median', of: ({ median }) => median, text: took, whole: 'highest' },
    { label: 'Latency, 95th percentile', of: ({ slow }) => slow, text: took, whole: 'highest' },
    {
      label: 'Jobs waiting',
      of: ({ waiting }) => waiting,
      text: (value) => (value === undefined ? 'Not measured' : value.toFixed(1)),
      whole: 'highest',
    },
  ]
}
