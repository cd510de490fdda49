import type { CSSProperties } from 'react'
import { ownPicture } from '@/lib/features/pictures/own-picture'
import { cn } from './cn'
import { hueOf } from './hue'

const sizes = {
  tiny: 'size-[18px] text-[8px]',
  small: 'size-6 text-[10px]',
  medium: 'size-8 text-[13px]',
  large: 'size-14 text-xl',
}

/**
 * A person, workspace or app: its picture, or its initials in a hue of its own, by `id` where the name may change.
 * Decorative: the name always stands beside it as text.
 * `shape` "round" is for people, whose picture may be at their identity provider; "square" is for workspaces and apps, whose
 * picture is loaded from here alone.
 */
export function Avatar({
  name,
  id = name,
  src,
  size = 'medium',
  shape = 'round',
  className,
}: {
  name: string
  id?: string | undefined
  src?: string | null | undefined
  size?: keyof typeof sizes
  shape?: 'round' | 'square'
  className?: string
}) {
  const box = cn(
    'grid shrink-0 place-content-center overflow-hidden font-semibold leading-none tracking-[-0.02em]',
    sizes[size],
    shape === 'round' ? 'rounded-full' : 'rounded-[26%]',
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
        className={cn(box, 'border object-cover')}
        referrerPolicy="no-referrer"
      />
    )
  }
  return (
    <span
      aria-hidden
      style={{ '--h': hueOf(id) } as CSSProperties}
      className={cn(box, shape === 'round' ? 'tile-person' : 'tile-thing')}
    >
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
