import { ownPicture } from '@/lib/features/pictures/own-picture'
import { cn } from './cn'

const sizes = { small: 'size-6 text-[11px]', medium: 'size-8 text-[13px]', large: 'size-14 text-xl' }

/**
 * A person, workspace or app: its picture, or its initials. Decorative: the name always stands beside it as text.
 * `shape` "round" is for people, whose picture may be at their identity provider; "square" is for workspaces and apps, whose
 * picture is loaded from here alone.
 */
export function Avatar({
  name,
  src,
  size = 'medium',
  shape = 'round',
  className,
}: {
  name: string
  src?: string | null | undefined
  size?: keyof typeof sizes
  shape?: 'round' | 'square'
  className?: string
}) {
  const box = cn(
    'grid shrink-0 place-content-center overflow-hidden border bg-raised font-semibold text-muted',
    sizes[size],
    shape === 'round' ? 'rounded-full' : size === 'large' ? 'rounded-[12px]' : 'rounded-control',
    className,
  )
  const picture = shape === 'square' ? ownPicture(src) : src
  if (picture) {
    return (
      // biome-ignore lint/performance/noImgElement: pictures come from several hosts, at one small size
      <img
        src={picture}
        alt=""
        width={56}
        height={56}
        className={cn(box, 'object-cover')}
        referrerPolicy="no-referrer"
      />
    )
  }
  return (
    <span aria-hidden className={box}>
      {initials(name)}
    </span>
  )
}

function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s._@-]+/)
    .filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? '?')][0])
    .join('')
    .toUpperCase()
}
