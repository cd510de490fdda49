'use client'
import { type ReactNode, useEffect, useState } from 'react'
import { cn } from '../ui/cn'
import { Field } from '../ui/field'
import { ImageUp } from '../ui/icon'
import { SchemePreview } from '../ui/scheme-preview'

/**
 * A file field for an image, onto which users can drop a file. After a file is chosen, the field shows that
 * image instead of the current image. Without JavaScript, it is a plain file field.
 */
export function PictureField({
  label,
  shape,
  refused,
  current,
  ground,
}: {
  label: string
  shape: 'round' | 'square'
  /** The reason why the last file was rejected. */
  refused: string | undefined
  /** The current image. */
  current: ReactNode
  /** The color scheme of the pages that show the image; undefined for both schemes. */
  ground: 'light' | 'dark' | undefined
}) {
  const [chosen, setChosen] = useState<{ name: string; url: string }>()
  const [over, setOver] = useState(false)
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen])
  const choose = (file: File | undefined) =>
    setChosen(file && { name: file.name, url: URL.createObjectURL(file) })
  const picture = chosen ? (
    // biome-ignore lint/performance/noImgElement: the file is only in this browser
    <img
      src={chosen.url}
      alt=""
      width={56}
      height={56}
      className={cn('size-14 border object-cover', shape === 'round' ? 'rounded-full' : 'rounded-[26%]')}
    />
  ) : (
    current
  )
  return (
    <div className="flex flex-wrap items-start gap-4">
      {ground ? <SchemePreview ground={ground}>{picture}</SchemePreview> : picture}
      <Field
        className="min-w-0 flex-1 basis-64 grid-cols-[minmax(0,1fr)]"
        label={label}
        hint="PNG, JPEG, or WebP, roughly square, at least 64 × 64 pixels, up to 4 MB."
        error={refused}
      >
        {(control) => (
          <span
            className={cn(
              'relative flex min-h-14 items-center gap-2.5 rounded-control border border-control border-dashed px-3 text-muted text-sm has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-focus has-[input:hover]:bg-hover',
              refused && 'border-danger',
              over && 'border-link bg-hover',
            )}
          >
            <ImageUp className="needs-script size-4 shrink-0" />
            <span className="needs-script min-w-0 truncate">
              {chosen ? (
                <bdi className="text-text">{chosen.name}</bdi>
              ) : (
                <>
                  Drop an image, or <span className="text-link underline">choose a file</span>
                </>
              )}
            </span>
            {/* The field covers the box, so that the browser accepts a dropped file. */}
            <input
              type="file"
              name="picture"
              accept="image/png,image/jpeg,image/webp"
              required
              {...control}
              onChange={(event) => choose(event.target.files?.[0])}
              onDragEnter={() => setOver(true)}
              onDragLeave={() => setOver(false)}
              onDrop={() => setOver(false)}
              className="absolute inset-0 w-full cursor-pointer opacity-0 noscript:static noscript:opacity-100"
            />
          </span>
        )}
      </Field>
    </div>
  )
}
