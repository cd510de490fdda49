/* biome-ignore-all lint/performance/noImgElement: other sites embed exactly these files */
import { dark, light } from '../ui/tokens'

const grounds = { light: { background: light.surface }, dark: { background: dark.background } }

/** Shows images on a light or a dark background, independent of the page's color scheme. */
export function ButtonGround({
  ground,
  images,
}: {
  ground: keyof typeof grounds
  images: { src: string; alt: string; width: number }[]
}) {
  return (
    <div
      style={grounds[ground]}
      className="flex flex-wrap items-center gap-4 rounded-card border p-5 [&>img]:h-auto [&>img]:max-w-full"
    >
      {images.map(({ src, alt, width }) => (
        <img key={src} src={src} alt={alt} width={width} height={44} />
      ))}
    </div>
  )
}
