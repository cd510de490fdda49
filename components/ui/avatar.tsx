import type { CSSProperties } from 'react'
import { ownPicture } from '@/lib/features/pictures/rules'
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
 * picture is loaded from here alone. Where a page is dark it shows `darkSrc`; of the two the one that is missing is the other.
 */
export function Avatar({
  name,
  id = name,
  src,
  darkSrc,
  size = 'medium',
  shape = 'round',
  className,
}: {
  name: string
  id?: string | undefined
  src?: string | null | undefined
  darkSrc?: string | null | undefined
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
  const pictureOf = (address: typeof src) => (shape === 'square' ? ownPicture(address) : address)
  const [light, dark] = [pictureOf(src), pictureOf(darkSrc)]
  const only = light && dark ? undefined : light || dark
  if (only) return <Picture src={only} className={box} />
  if (light && dark) {
    return (
      <>
        <Picture src={light} className={cn('on-light', box)} />
        <Picture src={dark} className={cn('on-dark', box)} />
      </>
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

const Picture = ({ src, className }: { src: string; className: string }) => (
  // biome-ignore lint/performance/noImgElement: pictures come from several hosts, at one small size
  <img
    src={src}
    alt=""
    width={56}
    height={56}
    className={cn(className, 'border object-cover')}
    referrerPolicy="no-referrer"
  />
)

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
